import { backoffMs, type BackoffPolicy } from '../logs/contract/backoff.ts';

/** Items within this time are delivered together. */
const GATHER_MS = 20;
const RETRY: BackoffPolicy = { firstMs: 500, mostMs: 60_000 };

/** The source and target of batches. */
interface Round<Part> {
  /** The next batch to deliver; undefined where there is none. */
  readonly next: () => Part | undefined;
  readonly deliver: (part: Part) => Promise<void>;
  /** Marks a batch as delivered, so that `next` no longer returns it. */
  readonly done: (part: Part) => void;
  /** Names the dispatcher in log entries. */
  readonly name: string;
}

/**
 * Delivers the contents of a store in batches, in order, with retries: each batch arrives at least
 * once. It is stateless; deliveries interrupted by a crash are found in the store again.
 */
export class Dispatcher<Part> {
  readonly #round: Round<Part>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isUnderWay = false;
  #failures = 0;

  constructor(round: Round<Part>) {
    this.#round = round;
    if (round.next() !== undefined) this.soon();
  }

  /** Schedules a delivery. */
  soon(waitMs = GATHER_MS): void {
    if (this.#isUnderWay || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => void this.#go(), waitMs);
  }

  async #go(): Promise<void> {
    this.#timer = undefined;
    this.#isUnderWay = true;
    const { next, deliver, done, name } = this.#round;
    try {
      for (let part = next(); part !== undefined; part = next()) {
        await deliver(part);
        done(part);
        this.#failures = 0;
      }
    } catch (error) {
      this.#failures += 1;
      const text = String(error);
      console.warn(JSON.stringify({ level: 'warn', event: 'not_handed_over', name, text }));
    }
    this.#isUnderWay = false;
    if (this.#failures > 0) this.soon(backoffMs(this.#failures, RETRY));
  }
}
