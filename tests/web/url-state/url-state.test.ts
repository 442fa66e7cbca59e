import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fc } from '../seeded.ts';
import { integer, text } from '../../../web/url-state/fields.ts';
import { createUrlState, WRITE_DELAY_MS, type Address } from '../../../web/url-state/url-state.ts';

const FIELDS = { page: integer(1, { min: 1, max: 100 }), name: text('', 20) };

/** An address bar that tells its listeners of every change, as wouter makes the browser's do. */
function fakeAddress(start = '') {
  let search = start;
  const listeners = new Set<() => void>();
  const writes: string[] = [];
  const address: Address = {
    search: () => search,
    replaceSearch(next) {
      writes.push(next);
      search = next;
      for (const listener of listeners) listener();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const go = (next: string) => {
    search = next;
    for (const listener of listeners) listener();
  };
  return { address, writes, go, listeners };
}

describe('url state', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('starts with what the address says', () => {
    const { address } = fakeAddress('?page=7');

    expect(createUrlState(FIELDS, address).get()).toEqual({ page: 7, name: '' });
  });

  it('takes effect at once and writes once after the last of many changes', () => {
    const { address, writes } = fakeAddress('?lang=ja');
    const state = createUrlState(FIELDS, address);
    state.subscribe(() => {});

    for (const name of ['l', 'lo', 'los', 'loss']) state.set({ name });
    expect(state.get().name).toBe('loss');
    expect(writes).toEqual([]);

    vi.advanceTimersByTime(WRITE_DELAY_MS);
    expect(writes).toEqual(['?lang=ja&name=loss']);
  });

  it('follows the address on back navigation and links', () => {
    const { address, go } = fakeAddress();
    const state = createUrlState(FIELDS, address);
    const heard = vi.fn<() => void>();
    state.subscribe(heard);

    go('?page=3');

    expect(state.get()).toEqual({ page: 3, name: '' });
    expect(heard).toHaveBeenCalledTimes(1);
  });

  it('retains a pending change when another parameter is written', () => {
    const { address, go, writes } = fakeAddress();
    const state = createUrlState(FIELDS, address);
    state.subscribe(() => {});
    state.set({ page: 9 });

    go('?lang=ja');
    vi.advanceTimersByTime(WRITE_DELAY_MS);

    expect(state.get().page).toBe(9);
    expect(writes).toEqual(['?lang=ja&page=9']);
  });

  it('writes nothing onto the address of the next screen', () => {
    const { address, writes, listeners } = fakeAddress();
    const state = createUrlState(FIELDS, address);
    const leave = state.subscribe(() => {});
    state.set({ page: 9 });

    leave();
    vi.runAllTimers();

    expect(writes).toEqual([]);
    expect(listeners.size).toBe(0);
  });

  it('ends, whatever happens in between, with the address and the values agreeing', () => {
    const change = fc.record(
      { page: fc.integer({ min: 1, max: 100 }), name: fc.stringMatching(/^[a-z]{0,8}$/) },
      { requiredKeys: [] },
    );
    const action = fc.oneof(
      change.map((next) => ({ set: next })),
      fc.integer({ min: 0, max: 2 * WRITE_DELAY_MS }).map((ms) => ({ wait: ms })),
      fc.constantFrom('', '?page=2', '?name=x&lang=en').map((search) => ({ go: search })),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 20 }), (actions) => {
        const { address, go } = fakeAddress();
        const state = createUrlState(FIELDS, address);
        state.subscribe(() => {});

        for (const step of actions) {
          if ('set' in step) state.set(step.set);
          else if ('wait' in step) vi.advanceTimersByTime(step.wait);
          else go(step.go);
        }
        vi.advanceTimersByTime(WRITE_DELAY_MS);

        expect(createUrlState(FIELDS, address).get()).toEqual(state.get());
      }),
    );
  });
});
