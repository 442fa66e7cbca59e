import { callEndpoint, type Http } from '../../edge/contract/client.ts';
import { ProblemError } from '../../edge/contract/problem-error.ts';
import type { JobRecord } from '../../edge/training/contract/job.ts';
import { sweepLabelOf } from '../../edge/training/contract/sweep.ts';
import { jobEndpoints } from '../../edge/training/job-endpoints.ts';
import { retry } from '../../trainer/index.ts';
import type { Part } from './machine.ts';
import { modelOf, type PlacedSweep, requestOf } from './sweep-plan.ts';

interface SubmitOptions {
  readonly signal: AbortSignal;
  /** Called with each failure after which it tries again. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * The job of a run on a rung: the one that an earlier driver submitted, else a new one. The list of jobs is asked
 * before each attempt, and the request has an Idempotency-Key, for an earlier one that is still on its way.
 *
 * @throws ProblemError for a refusal
 */
export function submitPart(
  http: Http,
  sweep: PlacedSweep,
  part: Part,
  { signal, onFailure }: SubmitOptions,
): Promise<JobRecord> {
  const attempt = async () => (await findJob(http, sweep, part)) ?? submit(http, sweep, part);
  return retry(attempt, { signal, onFailure });
}

async function findJob(
  http: Http,
  sweep: PlacedSweep,
  { run, rung }: Part,
): Promise<JobRecord | undefined> {
  const query = { model_name: modelOf(sweep, run), limit: '100', order: 'asc' };
  const { body } = await callEndpoint(http, jobEndpoints.listJobs, { query });
  return body.jobs.find((job) => {
    const label = sweepLabelOf(job);
    return label?.id === sweep.id && label.run === run && label.rung === rung;
  });
}

async function submit(http: Http, sweep: PlacedSweep, part: Part): Promise<JobRecord> {
  const headers = { 'idempotency-key': `${modelOf(sweep, part.run)}.rung-${part.rung}` };
  const body = requestOf(sweep, part);
  try {
    return (await callEndpoint(http, jobEndpoints.train, { body, headers })).body;
  } catch (error) {
    // Submitted by a driver before this one, after the list was asked.
    const isThere = error instanceof ProblemError && error.code === 'already_exists';
    const job = isThere ? await findJob(http, sweep, part) : undefined;
    if (job) return job;
    throw error;
  }
}

/** Refusals of one run's values, which other runs need not share. */
const RUN_PROBLEMS: ReadonlySet<string> = new Set(['invalid_structure', 'insufficient_vram']);

/** The reason where a refusal is of the run's own values; undefined for any other error. */
export const refusedRun = (error: unknown): string | undefined =>
  error instanceof ProblemError && RUN_PROBLEMS.has(error.code) ? error.message : undefined;
