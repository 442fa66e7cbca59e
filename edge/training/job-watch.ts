import { Notifier } from '../events/notifier.ts';
import { TERMINAL } from './contract/job.ts';
import type { MetricPoint } from './contract/job-event.ts';
import type { Jobs } from './jobs.ts';
import type { JobUpdates, RoundsResult, WatchPosition } from './results.ts';
import { roundOf } from './rounds.ts';

/** Long polls that wait for something to happen to a job. */
export class JobWatch {
  readonly #jobs: Jobs;
  readonly #notifier = new Notifier();
  readonly #recent = new RecentPoints();

  constructor(jobs: Jobs) {
    this.#jobs = jobs;
  }

  wake(jobId: string): void {
    this.#notifier.wake(jobId);
  }

  /** Hands new metric points to those who watch a job. */
  publish(jobId: string, points: readonly MetricPoint[], now: number): void {
    this.#recent.push(jobId, points, now);
    this.wake(jobId);
  }

  forget(jobId: string): void {
    this.#recent.forget(jobId);
  }

  /** Events and points since a position; waits up to `waitMs` for the first. */
  async updates(
    jobId: string,
    position: WatchPosition,
    waitMs: number,
  ): Promise<JobUpdates | undefined> {
    const found = this.#since(jobId, position);
    if (!found || found.isOver || position.mark === null) return found;
    if (found.events.length > 0 || found.points.length > 0) return found;
    await this.#notifier.wait(jobId, waitMs);
    return this.#since(jobId, position);
  }

  /** Rounds closed after one; waits up to `waitMs` for the first. */
  async rounds(jobId: string, after: number, waitMs: number): Promise<RoundsResult> {
    const until = Date.now() + waitMs;
    for (;;) {
      const stored = this.#jobs.store.find(jobId);
      if (!stored) return { kind: 'no-job' };
      const current = roundOf(stored.state);
      if (!current) return { kind: 'no-rounds' };
      const rounds = this.#jobs.checkpoints.rounds(jobId, after);
      const isOver = TERMINAL.has(stored.state.status);
      const left = until - Date.now();
      if (rounds.length > 0 || isOver || left <= 0) return { kind: 'done', rounds, current };
      await this.#notifier.wait(jobId, left);
    }
  }

  #since(jobId: string, position: WatchPosition): JobUpdates | undefined {
    const stored = this.#jobs.store.find(jobId);
    if (!stored) return undefined;
    const { events, hasMore } = this.#jobs.history.events(jobId, position.seq, 100);
    const { points, mark } = this.#recent.after(jobId, position.mark);
    const isOver = TERMINAL.has(stored.state.status) && !hasMore;
    const seq = events.at(-1)?.seq ?? position.seq;
    return { events, points, position: { seq, mark }, isOver };
  }
}

/** Batches of a job that a watcher may lag behind. */
const MAX_BATCHES = 60;

interface Batch {
  readonly at: number;
  readonly points: readonly MetricPoint[];
}

/** The latest metric points of each job, in memory only: a late watcher reads the stored series. */
class RecentPoints {
  readonly #batches = new Map<string, Batch[]>();
  #last = 0;

  push(jobId: string, points: readonly MetricPoint[], now: number): void {
    if (points.length === 0) return;
    this.#last = Math.max(now, this.#last + 1);
    const batches = this.#batches.get(jobId) ?? [];
    this.#batches.set(jobId, batches);
    batches.push({ at: this.#last, points });
    if (batches.length > MAX_BATCHES) batches.shift();
  }

  /** Points after a mark; none for a watcher that has no mark yet. */
  after(jobId: string, mark: number | null) {
    const batches = this.#batches.get(jobId) ?? [];
    const fresh = mark === null ? [] : batches.filter(({ at }) => at > mark);
    return { points: fresh.flatMap(({ points }) => points), mark: Math.max(this.#last, mark ?? 0) };
  }

  forget(jobId: string): void {
    this.#batches.delete(jobId);
  }
}
