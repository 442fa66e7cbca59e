import type { JobStatus } from './contract/job.ts';

/** A job with a seat to be filled. */
export interface QueuedJob {
  readonly jobId: string;
  /** Grows with every job. */
  readonly seq: number;
  readonly owner: string;
  readonly priority: number;
  readonly status: JobStatus;
}

/** How the owners of jobs were served so far. */
export interface Service {
  readonly liveLeases: ReadonlyMap<string, number>;
  /** Epoch milliseconds; an owner who never was has none. */
  readonly servedAt: ReadonlyMap<string, number>;
}

/**
 * The order in which jobs are given trainers: the highest priority, then what had been begun, then
 * whose owner holds the fewest trainers, then whose owner waited longest, then the oldest.
 */
export function fairOrder<T extends QueuedJob>(
  jobs: readonly T[],
  { liveLeases, servedAt }: Service,
): readonly T[] {
  const keyed = jobs.map((job) => ({
    job,
    key: [
      -job.priority,
      job.status === 'queued' ? 1 : 0,
      liveLeases.get(job.owner) ?? 0,
      servedAt.get(job.owner) ?? 0,
      job.seq,
    ],
  }));
  return keyed.toSorted((a, b) => compareKeys(a.key, b.key)).map(({ job }) => job);
}

function compareKeys(a: readonly number[], b: readonly number[]): number {
  for (const [i, value] of a.entries()) {
    const difference = value - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
