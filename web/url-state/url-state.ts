import { readFields, writeFields } from './codec.ts';
import type { Values } from './fields.ts';

/** The part of the browser that holds the address; a test passes its own. */
export interface Address {
  /** The query string, with its `?`, or empty. */
  search(): string;
  /** Puts another query string into the address without a new history entry. */
  replaceSearch(search: string): void;
  /** Calls `listener` after every change of the address, own ones included. */
  onChange(listener: () => void): () => void;
}

/** Browsers refuse more than about a hundred writes of the address in half a minute. */
export const WRITE_DELAY_MS = 300;

interface UrlState<F> {
  readonly get: () => Values<F>;
  /** Takes effect at once; the address follows `WRITE_DELAY_MS` after the last of several calls. */
  readonly set: (change: Partial<Values<F>>) => void;
  /** Follows the address until the returned function is called; what was not written yet is dropped. */
  readonly subscribe: (listener: () => void) => () => void;
}

/** Keeps the values of `fields` in the query string. */
export function createUrlState<F extends object>(fields: F, address: Address): UrlState<F> {
  let values = readFields(fields, address.search());
  let seen = writeFields(fields, values, '');
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unfollow: (() => void) | undefined;
  const listeners = new Set<() => void>();
  const notify = () => listeners.forEach((listener) => listener());

  function write() {
    seen = writeFields(fields, values, '');
    const search = writeFields(fields, values, address.search());
    if (search !== address.search()) address.replaceSearch(search);
  }

  function addressChanged() {
    const read = readFields(fields, address.search());
    const now = writeFields(fields, read, '');
    // Somebody wrote another parameter: ours are as we left them, and a write may still be due.
    if (now === seen) return;
    clearTimeout(timer);
    values = read;
    seen = now;
    notify();
  }

  return {
    get: () => values,
    set(change) {
      values = { ...values, ...change };
      clearTimeout(timer);
      timer = setTimeout(write, WRITE_DELAY_MS);
      notify();
    },
    subscribe(listener) {
      listeners.add(listener);
      unfollow ??= address.onChange(addressChanged);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearTimeout(timer);
        unfollow?.();
        unfollow = undefined;
      };
    },
  };
}
