/** Wakes waiters in this isolate by key; a wait ends by itself after a timeout. */
export class Notifier {
  readonly #waiting = new Map<string, Set<() => void>>();

  wait(key: string, ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiters = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, waiters);
    const end = () => {
      clearTimeout(timer);
      waiters.delete(end);
      if (waiters.size === 0 && this.#waiting.get(key) === waiters) this.#waiting.delete(key);
      resolve();
    };
    const timer = setTimeout(end, ms);
    waiters.add(end);
    return promise;
  }

  wake(key: string): void {
    for (const end of this.#waiting.get(key) ?? []) end();
  }
}
