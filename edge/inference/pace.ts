/** How long the isolate may be kept from other requests. */
const SLICE_MS = 20;
/** A slice is no longer than this, however quick its tokens seem. */
const MAX_TOKENS = 256;

/**
 * Lets other requests run after every slice of some 20 ms. Deployed, the clock stands still while a
 * request computes and goes on with its I/O, so the time of a slice is only known after it: the number
 * of tokens in the next one follows from it.
 */
export class Pace {
  #perSlice = 1;
  #tokens = 0;
  #began = performance.now();

  /** A token was read. */
  async step(): Promise<void> {
    this.#tokens += 1;
    if (this.#tokens < this.#perSlice) return;
    await scheduler.wait(0);
    const now = performance.now();
    const fitting = (this.#tokens * SLICE_MS) / Math.max(0.1, now - this.#began);
    this.#perSlice = Math.max(1, Math.min(Math.floor(fitting), 2 * this.#perSlice, MAX_TOKENS));
    this.#tokens = 0;
    this.#began = now;
  }
}
