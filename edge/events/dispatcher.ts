import { backoffMs, type BackoffPolicy } from '../logs/contract/backoff.ts';

/** What comes within this time goes together. */
const GATHER_MS = 20;
const RETRY: BackoffPolicy = { firstMs: 500, mostMs: 60_000 };

/** Where parts come from, and where they go. */
export interface Round<Part> {
  /** What is to be handed over next; undefined where nothing waits. */
  readonly next: () => Part | undefined;
  readonly deliver: (part: Part) => Promise<void>;
  /** The part has arrived: `next` does not give it any more. */
  readonly done: (part: Part) => void;
  /** Names it where it fails. */
  readonly name: string;
}

/**
 * Hands over what a store holds, part by part and in order, and again where that fails: each part
 * arrives at least once. It keeps nothing; what a crash interrupts is found again in the store.
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

  /** Something waits. */
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
