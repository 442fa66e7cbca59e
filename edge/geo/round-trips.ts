import type { RoundTrips } from './latency.ts';

/** How much of a figure is its newest report. */
const WEIGHT = 0.2;
/** Reports older than this say nothing of now. */
const KEPT_MS = 10 * 60_000;

interface Trip {
  readonly ms: number;
  readonly at: number;
}

/** What nodes report of their round trips to other regions: a moving average for each direction. */
export class RoundTripBook {
  readonly #trips = new Map<string, Trip>();
  /** Grows with every change, for who keeps what was computed from it. */
  revision = 0;

  report(from: string, trips: Readonly<Record<string, number>>, now: number): void {
    for (const [to, ms] of Object.entries(trips)) {
      if (to === from) continue;
      const before = this.#fresh(keyOf(from, to), now);
      this.#trips.set(keyOf(from, to), {
        ms: before === undefined ? ms : before + WEIGHT * (ms - before),
        at: now,
      });
      this.revision += 1;
    }
  }

  /** What is known at a time, as the latency matrix asks for it. */
  at(now: number): RoundTrips {
    return (from, to) => this.#fresh(keyOf(from, to), now);
  }

  #fresh(key: string, now: number): number | undefined {
    const trip = this.#trips.get(key);
    return trip && now - trip.at < KEPT_MS ? trip.ms : undefined;
  }
}

const keyOf = (from: string, to: string) => `${from} ${to}`;
