import { callEndpoint, type Http } from '../../edge/contract/client.ts';
import { type JobRecord, TERMINAL } from '../../edge/training/contract/job.ts';
import { metricOf } from '../../edge/training/contract/sweep.ts';
import { jobEndpoints } from '../../edge/training/job-endpoints.ts';
import { pause, retry } from '../../trainer/index.ts';
import type { Journal } from './journal.ts';
import { type Ended, isOver, nextPart, type Part, partsUnderWay } from './machine.ts';
import { refusedRun, submitPart } from './submit-part.ts';
import type { PlacedSweep } from './sweep-plan.ts';

interface DriveOptions {
  readonly http: Http;
  /** Stops the driver; jobs that are under way go on. */
  readonly signal: AbortSignal;
  /** Between two looks at the jobs. */
  readonly pollMs: number;
  /** Called after each look, with the jobs under way. */
  readonly onLook: (jobs: readonly JobRecord[]) => void;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Drives a sweep until every run has ended: submits what is next, and writes down what has ended. Whatever
 * stops it, and wherever, another call with the same journal goes on; trainers go on meanwhile.
 *
 * @throws ProblemError for a refusal that is not of one run's own values; the signal's reason
 */
export async function driveSweep(
  sweep: PlacedSweep,
  journal: Journal,
  options: DriveOptions,
): Promise<void> {
  const { signal, pollMs, onLook } = options;
  for (;;) {
    for (const { run, rung, job } of partsUnderWay(journal.state())) {
      if (job === null) await submit(sweep, journal, { run, rung }, options);
    }
    await beginNext(sweep, journal, options);
    if (isOver(journal.state(), sweep.schedule)) return;
    onLook(await lookAtJobs(sweep, journal, options));
    const hasRoom = nextPart(journal.state(), sweep.schedule) !== undefined;
    if (!hasRoom && !isOver(journal.state(), sweep.schedule)) await pause(pollMs, signal);
    signal.throwIfAborted();
  }
}

async function beginNext(sweep: PlacedSweep, journal: Journal, options: DriveOptions) {
  for (;;) {
    const next = nextPart(journal.state(), sweep.schedule);
    if (!next) return;
    await journal.append({ kind: 'begun', ...next });
    await submit(sweep, journal, next, options);
  }
}

async function submit(sweep: PlacedSweep, journal: Journal, part: Part, options: DriveOptions) {
  try {
    const { job_id: job } = await submitPart(options.http, sweep, part, options);
    await journal.append({ kind: 'submitted', ...part, job });
  } catch (error) {
    const reason = refusedRun(error);
    if (reason === undefined) throw error;
    const ended = { status: 'failed', value: null, step: 0, model: null, reason } as const;
    await journal.append({ kind: 'ended', ...part, ...ended });
  }
}

/** Asks for each job under way, and writes down those that have ended. Returns the others. */
async function lookAtJobs(
  { file }: PlacedSweep,
  journal: Journal,
  { http, signal, onFailure }: DriveOptions,
): Promise<readonly JobRecord[]> {
  const live: JobRecord[] = [];
  for (const { run, rung, job } of partsUnderWay(journal.state())) {
    if (job === null) continue;
    const read = () => callEndpoint(http, jobEndpoints.getJob, { params: { id: job } });
    const { body } = await retry(read, { signal, onFailure });
    if (TERMINAL.has(body.status)) {
      await journal.append({
        kind: 'ended',
        run,
        rung,
        ...endOf(body, metricOf(body, file.metric)),
      });
    } else {
      live.push(body);
    }
  }
  return live;
}

/** How a job that is over ended. */
function endOf(job: JobRecord, value: number | null): Ended {
  const { status, status_reason, error, model, progress } = job;
  const isGood = status === 'succeeded';
  return {
    status: isGood ? 'succeeded' : status === 'cancelled' ? 'cancelled' : 'failed',
    value: value !== null && Number.isFinite(value) ? value : null,
    step: progress.step,
    model: model && { model_id: model.model_id, version: model.version },
    reason: isGood ? '' : error ? `${error.code}: ${error.message}` : status_reason,
  };
}
