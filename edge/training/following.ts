import { TERMINAL } from './contract/job.ts';
import type { MetricPoint } from './contract/job-event.ts';
import { PointFeed } from './feed.ts';
import type { Jobs } from './jobs.ts';
import type { Followed, Place, RoundsResult } from './results.ts';
import { roundOf } from './rounds.ts';
import { Notifier } from '../events/notifier.ts';

/** Answers that are held back until something happens to a job. */
export class Following {
  readonly #jobs: Jobs;
  readonly #notifier = new Notifier();
  readonly #feed = new PointFeed();

  constructor(jobs: Jobs) {
    this.#jobs = jobs;
  }

  /** Says that something happened to a job. */
  wake(jobId: string): void {
    this.#notifier.wake(jobId);
  }

  /** Tells of what was measured just now, and of messages. */
  tell(jobId: string, points: readonly MetricPoint[], now: number): void {
    this.#feed.push(jobId, points, now);
    this.wake(jobId);
  }

  forget(jobId: string): void {
    this.#feed.forget(jobId);
  }

  /** What happened since a place, held back until something did or `waitMs` is over. */
  async follow(jobId: string, place: Place, waitMs: number): Promise<Followed | undefined> {
    const found = this.#since(jobId, place);
    if (!found || found.isOver || place.mark === null) return found;
    if (found.events.length > 0 || found.points.length > 0) return found;
    await this.#notifier.wait(jobId, waitMs);
    return this.#since(jobId, place);
  }

  /** Rounds closed after one, held back until there is one or `waitMs` is over. */
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

  #since(jobId: string, place: Place): Followed | undefined {
    const stored = this.#jobs.store.find(jobId);
    if (!stored) return undefined;
    const { events, hasMore } = this.#jobs.history.events(jobId, place.seq, 100);
    const { points, mark } = this.#feed.after(jobId, place.mark);
    const isOver = TERMINAL.has(stored.state.status) && !hasMore;
    return { events, points, place: { seq: events.at(-1)?.seq ?? place.seq, mark }, isOver };
  }
}
