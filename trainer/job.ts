import type { JobVerdict } from '../edge/training/contract/job.ts';
import type { Lease } from '../edge/training/contract/trainer.ts';
import {
  beginFrom,
  type Backend,
  type CheckpointFiles,
  controlsOf,
  type DataOptions,
  EngineError,
  loadFamily,
  type ModelFamily,
  publicationOf,
  type RunData,
  type StoredTraining,
  unpackTraining,
  type Verdict,
} from '../engine/index.ts';
import { fetchCheckpoint } from './checkpoints.ts';
import { type OpenDataset, openJobData } from './dataset.ts';
import type { JobEnvironment, JobFiles } from './environment.ts';
import type { JobContext, Session, Trained } from './job-context.ts';
import { isLost, jobErrorOf } from './job-failure.ts';
import type { EarlyEnd, FromJob, JobEnd, Services, ToJob } from './job-messages.ts';
import { controlsOfPlan, effectiveOf, planOf, planOnBase } from './job-plan.ts';
import { givenTokenizer, refuseOtherTokenizer } from './job-tokenizer.ts';
import { registerResult } from './register-result.ts';
import { baseMismatch, openStartingPoint } from './starting-point.ts';
import { trainAlone } from './train-alone.ts';
import { trainTogether } from './train-together.ts';
import { createTrainingClient } from './training-client.ts';

/** Runs a job from its lease to its end. It never throws: the end carries the error. */
async function runJob(
  lease: Lease,
  services: Services,
  {
    environment,
    early,
    requestedEnd,
    post,
  }: Pick<JobContext, 'environment' | 'early' | 'requestedEnd' | 'post'>,
): Promise<JobEnd> {
  try {
    const client = createTrainingClient(services.training);
    const wanted = planOf(lease);
    const retryOptions = { signal: early };
    const base = await openStartingPoint(wanted, environment, services.registry, retryOptions);
    const plan = base ? planOnBase(wanted, { name: base.name, spec: base.stored.spec }) : wanted;
    return await train({
      lease,
      plan,
      base,
      services,
      environment,
      client,
      early,
      requestedEnd,
      post,
    });
  } catch (error) {
    if (isLost(error)) return { outcome: 'lost' };
    const how = requestedEnd();
    // A cancelled preparation is no failure.
    if (how && error instanceof Error && error.name === 'AbortError') return endOf(how);
    return { outcome: 'failed', error: jobErrorOf(error) };
  }
}

function endOf(how: EarlyEnd): JobEnd {
  return how === 'cancelled'
    ? { outcome: 'cancelled' }
    : { outcome: 'released', reason: 'the trainer is stopping' };
}

async function train(context: JobContext): Promise<JobEnd> {
  const { plan, client, environment, early } = context;
  const dataset = await openJobData(plan.datasetPath, client, environment, { signal: early });
  let backend: Backend | undefined;
  let prepared: Prepared | undefined;
  let session: Session | undefined;
  try {
    prepared = await prepare(context, dataset);
    backend = await environment.openBackend();
    session = await startRun(context, prepared, backend);
    const trained = plan.distributed
      ? await trainTogether(context, session, plan.distributed)
      : await trainAlone(context, session);
    return trained.outcome === 'finished'
      ? await finish(context, session, trained)
      : endOf(trained.outcome);
  } finally {
    session?.run.close();
    backend?.close();
    await prepared?.data.close?.();
    await dataset.close();
  }
}

interface Prepared {
  readonly family: ModelFamily;
  readonly dataset: OpenDataset;
  readonly data: RunData;
  readonly resumed: CheckpointFiles | undefined;
  readonly resume: StoredTraining | undefined;
}

/** Validates dataset, tokenizer and base model before a device is opened. */
async function prepare(context: JobContext, dataset: OpenDataset): Promise<Prepared> {
  const { plan, lease, base, client, early } = context;
  const { settings } = plan;
  const retryOptions = { signal: early };
  const family = await loadFamily(settings.architecture);
  family.check(settings);
  const resumed = lease.checkpoint
    ? await fetchCheckpoint(client, lease.checkpoint, retryOptions)
    : undefined;
  const stored = resumed && unpackTraining(resumed);
  const known = stored ?? base?.stored;
  const given = await givenTokenizer(context);
  if (base) refuseOtherTokenizer(base, given);
  const { tokenizer } = given;
  const opening = openingOf(context, dataset, known ? { base: known } : tokenizer && { tokenizer });
  const data = await family.openData(dataset.files, settings, opening).catch((error: unknown) => {
    throw base ? asBaseMismatch(error) : error;
  });
  const resume = stored ?? (base && beginFrom(base.stored, data, settings.seed));
  return { family, dataset, data, resumed, resume };
}

/** How the data is opened, with the tokenizer of a model or with one that is given. */
const openingOf = (
  { environment: { openTokens }, early }: JobContext,
  { format }: OpenDataset,
  known: Pick<DataOptions, 'base' | 'tokenizer'> | undefined,
): DataOptions => ({
  signal: early,
  ...known,
  ...(format && { format }),
  ...(openTokens && { openStore: openTokens }),
});

async function startRun(
  { plan, base, post, environment }: JobContext,
  { family, dataset, data, resumed, resume }: Prepared,
  backend: Backend,
): Promise<Session> {
  const { settings, profile } = plan;
  // A resumed job uses its original controls, regardless of this trainer's variables.
  const controls =
    resumed && resume ? controlsOf(resume.execution) : controlsOfPlan(plan, environment.variables);
  const options = { backend, settings, controls, profile, ...(resume && { resume }) };
  const run = await family.createRun(options, data).catch((error: unknown) => {
    throw base && !resumed ? asBaseMismatch(error) : error;
  });
  const effective = effectiveOf(plan, controls);
  const { stepsPerEpoch, totalSteps } = run;
  const step = run.step();
  post({
    type: 'running',
    progress: {
      epoch: step / stepsPerEpoch,
      step,
      total_steps: totalSteps ?? null,
      percent: 100 * run.progress(),
      eta_s: null,
    },
    effective,
  });
  const how = resumed ? `goes on from step ${step}` : 'begins';
  post({ type: 'said', line: { level: 'info', message: `${how} on ${backend.device.label}` } });
  return { run, controls, resumed, parent: base?.parent, datasetDigest: dataset.digest };
}

/** Turns mismatches of data or run with the base model into the job's error. */
function asBaseMismatch(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error;
  const { code, message } = error;
  if (code === 'checkpoint-mismatch') return baseMismatch(message, []);
  if (code !== 'unknown-character') return error;
  const what = { aspect: 'vocabulary', field: '/dataset_path' } as const;
  const expected = 'characters that the base model knows';
  return baseMismatch(message, [{ ...what, expected, actual: message }]);
}

/** Registers the result, and stores a local copy if requested. */
async function finish(
  context: JobContext,
  { run, parent, datasetDigest }: Session,
  trained: Extract<Trained, { outcome: 'finished' }>,
): Promise<JobEnd> {
  const { plan, services, early, post } = context;
  const { files, progress, validation } = trained;
  const verdict = validation && judged(await run.verdict(validation));
  const stored = unpackTraining(files);
  const { files: published, withheld } = publicationOf(files, stored);
  if (withheld.length > 0) {
    const message = `trained privately: ${withheld.join(', ')} stay out of the registry`;
    post({ type: 'said', line: { level: 'info', message } });
  }
  const result = { plan, stored, files: published, parent, datasetDigest };
  const model = await registerResult(result, {
    registry: services.registry,
    signal: early,
    onAway: (reason) => warn(post, `the registry does not answer, trying again: ${reason}`),
  });
  await keepCopy(context, trained);
  const done = { ...progress, percent: 100, eta_s: 0 };
  return { outcome: 'completed', progress: done, model, ...(verdict && { verdict }) };
}

/** The verdict against the baselines, in the terms of the service. */
function judged(verdict: Verdict | undefined): JobVerdict | undefined {
  if (!verdict || !Number.isFinite(verdict.reached)) return undefined;
  const { floor, reached, isBeaten } = verdict;
  return { floor, reached, is_beaten: isBeaten };
}

/** The result is safe in the registry: a disk that is full here is worth a warning, and no more. */
async function keepCopy(
  { plan: { outputDir }, environment, post }: JobContext,
  { files, progress }: Extract<Trained, { outcome: 'finished' }>,
): Promise<void> {
  if (outputDir === undefined) return;
  try {
    await environment.files?.keepResult(outputDir, progress.step, files);
  } catch (error) {
    warn(post, `no copy is in output_dir "${outputDir}": ${jobErrorOf(error).message}`);
  }
}

function warn(post: JobContext['post'], message: string): void {
  post({ type: 'said', line: { level: 'warn', message } });
}

/** The environment of jobs; the accessible files depend on the owner's team. */
type ServedEnvironment = Omit<JobEnvironment, 'files'> & {
  readonly filesOf?: (team: string) => JobFiles;
};

/**
 * The side that runs a job, in a process or worker of its own: call it with each message received; it posts
 * its messages. It runs one job and is finished with the message `ended`.
 */
export function serveJob(
  { filesOf, ...shared }: ServedEnvironment,
  post: (message: FromJob) => void,
): (message: ToJob) => void {
  const early = new AbortController();
  let requestedEnd: EarlyEnd | undefined;
  return (message) => {
    if (message.type === 'end') {
      requestedEnd ??= message.how;
      early.abort();
      return;
    }
    const { lease, services } = message;
    const files = filesOf?.(lease.job.team);
    const environment = { ...shared, ...(files && { files }) };
    const link = { environment, early: early.signal, requestedEnd: () => requestedEnd, post };
    void runJob(lease, services, link).then((end) => post({ type: 'ended', end }));
  };
}
