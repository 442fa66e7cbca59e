/** How many of the latest answers of a region count. */
const WINDOW = 100;
/** Fewer say nothing about one in twenty. */
const LEAST = 20;
/** How much a clean round moves what is usual. */
const WEIGHT = 0.05;

/** How long the nodes of one region take to answer, now and usually. */
export class AnswerTimes {
  readonly #latest: number[] = [];
  #usual: number | null = null;

  add(ms: number): void {
    this.#latest.push(ms);
    if (this.#latest.length > WINDOW) this.#latest.shift();
  }

  /** The 95th percentile, in milliseconds; null where there are too few answers to tell. */
  get p95Ms(): number | null {
    if (this.#latest.length < LEAST) return null;
    const sorted = this.#latest.toSorted((a, b) => a - b);
    return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null;
  }

  /** The 95th percentile of the rounds in which nothing was wrong. */
  get baselineMs(): number | null {
    return this.#usual;
  }

  /** Has a round that found nothing wrong count as usual. */
  learn(): void {
    const now = this.p95Ms;
    if (now === null) return;
    this.#usual = this.#usual === null ? now : this.#usual + WEIGHT * (now - this.#usual);
  }
}
