import { EDGE_QUEUE } from './edge-endpoints.ts';
import { Problem } from '../http/problem.ts';

/** How often who waits looks whether it is his turn. */
const LOOK_MS = 10;
/** How often a request tells that it lives, and after how long a silent one is taken for dead. */
const BEAT_MS = 1_000;
const SILENT_MS = 10_000;

/** A request in a line. */
export interface Place {
  readonly priority: number;
  seenAt: number;
  readonly beat: ReturnType<typeof setInterval>;
}

/**
 * The requests to one model of this isolate: the first is at work, the others wait. Only plain data is
 * shared between requests, as a promise of one request must not be waited for by another: who waits
 * looks again and again. A request that the runtime ended without letting it leave is silent, and
 * loses its place.
 */
export class WaitingLine {
  readonly #places: Place[] = [];
  readonly #onLost: () => void;

  /** @param onLost called where the request at work died, in the middle of whatever it did */
  constructor(onLost: () => void) {
    this.#onLost = onLost;
  }

  get length(): number {
    this.#clear();
    return this.#places.length;
  }

  /** Goes behind those of the same or a higher priority. @throws Problem rate_limited */
  join(priority: number, model: string): Place {
    const waiting = this.length - 1;
    if (waiting >= EDGE_QUEUE) {
      const detail = `${waiting} requests wait for ${model} already, expected at most ${EDGE_QUEUE}.`;
      throw new Problem('rate_limited', detail, { headers: { 'retry-after': '1' } });
    }
    const beat = setInterval(() => {
      place.seenAt = Date.now();
    }, BEAT_MS);
    const place: Place = { priority, seenAt: Date.now(), beat };
    const behind = this.#places.findIndex((other, at) => at > 0 && other.priority < priority);
    this.#places.splice(behind < 0 ? this.#places.length : behind, 0, place);
    return place;
  }

  /** Settles once the place is the first. @throws what `check` throws meanwhile */
  async untilFirst(place: Place, check: () => void): Promise<void> {
    for (;;) {
      check();
      this.#clear();
      if (this.#places[0] === place) return;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  leave(place: Place): void {
    clearInterval(place.beat);
    const at = this.#places.indexOf(place);
    if (at >= 0) this.#places.splice(at, 1);
  }

  #clear(): void {
    const silentSince = Date.now() - SILENT_MS;
    const [first] = this.#places;
    const living = this.#places.filter(({ seenAt }) => seenAt >= silentSince);
    if (living.length === this.#places.length) return;
    this.#places.splice(0, this.#places.length, ...living);
    if (first !== living[0]) this.#onLost();
  }
}
