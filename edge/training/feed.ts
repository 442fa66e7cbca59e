import type { MetricPoint } from './contract/job-event.ts';

/** Batches of a job that a follower may lag behind. */
const MOST_BATCHES = 60;

interface Batch {
  readonly at: number;
  readonly points: readonly MetricPoint[];
}

/**
 * What was measured just now, for those who follow a job. It is kept in memory only: who comes
 * later reads the series.
 */
export class PointFeed {
  readonly #batches = new Map<string, Batch[]>();
  #last = 0;

  push(jobId: string, points: readonly MetricPoint[], now: number): void {
    if (points.length === 0) return;
    this.#last = Math.max(now, this.#last + 1);
    const batches = this.#batches.get(jobId) ?? [];
    this.#batches.set(jobId, batches);
    batches.push({ at: this.#last, points });
    if (batches.length > MOST_BATCHES) batches.shift();
  }

  /** What came after a mark; nothing yet for who has none. */
  after(jobId: string, mark: number | null) {
    const batches = this.#batches.get(jobId) ?? [];
    const fresh = mark === null ? [] : batches.filter(({ at }) => at > mark);
    return { points: fresh.flatMap(({ points }) => points), mark: Math.max(this.#last, mark ?? 0) };
  }

  forget(jobId: string): void {
    this.#batches.delete(jobId);
  }
}
