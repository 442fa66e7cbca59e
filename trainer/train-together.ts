import type { Distributed } from '../edge/training/contract/train-request.ts';
import {
  type CheckpointFiles,
  decodeOuter,
  encodeOuter,
  learningRateAt,
  MANIFEST,
  memberDataSeed,
  OUTER_FILE,
  type OuterState,
  parametersOf,
  startOuter,
  unpackTraining,
  type Validation,
  withManifest,
} from '../engine/index.ts';
import { pause, retry } from './backoff.ts';
import { commitCheckpoint, fetchCheckpoint } from './checkpoints.ts';
import type { JobContext, Session, Trained } from './job-context.ts';
import { intervalOf } from './job-plan.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { type Learned, Rounds } from './rounds.ts';
import { createStrides } from './training-loop.ts';

/** Maximum time between checkpoints of a slow job, at the end of a round. */
const CHECKPOINT_MS = 30_000;
/** Delay before a member that disagrees with the leader checks again. */
const AGREE_MS = 1000;

interface Member {
  readonly context: JobContext;
  readonly session: Session;
  readonly distributed: Distributed;
  readonly rounds: Rounds;
  readonly recorder: Recorder;
  /** The round, time and files of the last checkpoint that this member wrote. */
  saved: { readonly round: number; readonly at: number; readonly files?: CheckpointFiles };
  validation?: Validation;
}

/**
 * Trains one seat of a job that several trainers share: some steps alone, then all agree on new parameters.
 * The leader writes the checkpoints and ends the job.
 */
export async function trainTogether(
  context: JobContext,
  session: Session,
  distributed: Distributed,
): Promise<Trained> {
  const member = await join(context, session, distributed);
  const { rounds } = member;
  for (;;) {
    const how = context.requestedEnd();
    if (how) return leave(member, how);
    beginRound(member);
    if (isOver(member)) {
      if (member.rounds.isLeader) return finish(member);
      // The leader ends the job; if it is lost, another seat leads.
      await rounds.next().catch(ignoreAbort(context));
      continue;
    }
    await trainRound(member);
  }
}

async function join(
  context: JobContext,
  session: Session,
  distributed: Distributed,
): Promise<Member> {
  const { run, controls, resumed } = session;
  const { plan, post } = context;
  const { learningRate } = plan.settings;
  const start = outerOf(resumed, await run.parameters());
  const rounds = await Rounds.join(context, distributed, start);
  const recorder = createRecorder({
    run,
    seat: plan.seat,
    step: () =>
      run.totalSteps === undefined
        ? Math.round(rounds.outer.tokens / run.itemsPerStep)
        : Math.round(run.progress() * run.totalSteps),
    learningRate: () => learningRateAt(learningRate, controls, run.progress(), run.totalSteps),
    post: (progress, points) => post({ type: 'advanced', progress, points }),
  });
  const saved = { round: resumed ? start.round : 0, at: Date.now() };
  return { context, session, distributed, rounds, recorder, saved };
}

function outerOf(files: CheckpointFiles | undefined, parameters: Float32Array): OuterState {
  const bytes = files?.get(OUTER_FILE);
  return bytes ? decodeOuter(bytes, parameters) : startOuter(parameters);
}

/** Sets the run to the agreed parameters and the spent budget. */
function beginRound({ context, session: { run }, rounds }: Member): void {
  const { settings, seat } = context.plan;
  const { parameters, tokens, round } = rounds.outer;
  const members = rounds.members;
  run.setParameters(parameters);
  run.shareBudget(Math.round(tokens / run.itemsPerStep), members);
  run.reseedData(memberDataSeed(settings.seed, seat, round));
}

/** A budget of minutes ends by the leader's clock. */
function isOver(member: Member): boolean {
  const { run } = member.session;
  return run.progress() >= 1 && (run.totalSteps !== undefined || member.rounds.isLeader);
}

async function trainRound(member: Member): Promise<void> {
  const { context, rounds } = member;
  const learned = await trainLocally(member);
  if (!learned) return;
  const before = rounds.outer.round;
  try {
    if (!(await rounds.contribute(learned))) return await rejoin(member);
    while (rounds.outer.round === before && !context.requestedEnd()) await rounds.next();
  } catch (error) {
    ignoreAbort(context)(error);
    return;
  }
  if (member.rounds.isLeader && isCheckpointDue(member)) await save(member);
}

/** The steps of a round on this device; undefined if the job is to end early. */
async function trainLocally({
  context,
  session: { run },
  distributed,
  rounds,
  recorder,
}: Member): Promise<Learned | undefined> {
  const members = rounds.members;
  const left = Math.ceil(((1 - run.progress()) * (run.totalSteps ?? Infinity)) / members);
  const steps = Math.max(1, Math.min(distributed.local_steps, left));
  const strides = createStrides();
  let sum = 0;
  for (let done = 0; done < steps;) {
    if (context.requestedEnd()) return undefined;
    const progress = await run.advance(Math.min(strides.length(), steps - done));
    strides.took(progress.seconds / progress.losses.length);
    recorder.advanced(progress);
    done += progress.losses.length;
    for (const loss of progress.losses) sum += loss;
  }
  const parameters = await run.parameters();
  return { parameters, tokens: steps * run.itemsPerStep, loss: sum / steps };
}

/**
 * Recovers from a round that closed without this member, or from other parameters: applies the missed rounds
 * or, if that is not enough, the latest checkpoint.
 */
async function rejoin({ context, rounds }: Member): Promise<void> {
  const { client, plan, early } = context;
  if (await rounds.catchUp()) return;
  const retryOptions = { signal: early };
  const [newest] = await retry(() => client.checkpoints(plan.jobId), retryOptions);
  if (newest) {
    const files = await fetchCheckpoint(client, newest, retryOptions);
    rounds.restart(outerOf(files, parametersOf(unpackTraining(files))));
    if (await rounds.catchUp()) return;
  }
  await pause(AGREE_MS, early);
}

function isCheckpointDue({ context, session: { run }, distributed, rounds, saved }: Member) {
  const steps = intervalOf(context.plan.checkpointEvery, run.totalSteps);
  const every = Math.max(1, Math.round(steps / distributed.local_steps));
  return rounds.outer.round - saved.round >= every || Date.now() - saved.at >= CHECKPOINT_MS;
}

/** Validates the agreed parameters and commits them with the state of the outer optimiser. */
async function save(member: Member): Promise<CheckpointFiles> {
  const { context, session, rounds, recorder, saved } = member;
  const { run } = session;
  const outer = rounds.outer;
  if (saved.round === outer.round && saved.files) return saved.files;
  beginRound(member);
  member.validation = await run.validate();
  recorder.validated(member.validation);
  const { [MANIFEST]: _, ...own } = Object.fromEntries(await run.checkpoint());
  const files = withManifest(new Map([...Object.entries(own), [OUTER_FILE, encodeOuter(outer)]]));
  const { client, plan, lease } = context;
  const place = { client, jobId: plan.jobId, proof: lease, retryOptions: {} };
  const { step, epoch } = recorder.progress();
  const metrics = { ...recorder.metrics(), round: outer.round, tokens: outer.tokens };
  await commitCheckpoint(place, { files, step, epoch, metrics });
  member.saved = { round: outer.round, at: Date.now(), files };
  return files;
}

async function finish(member: Member): Promise<Trained> {
  const files = await save(member);
  const { recorder, validation } = member;
  return { outcome: 'finished', files, progress: recorder.progress(), validation };
}

async function leave(member: Member, outcome: 'cancelled' | 'released'): Promise<Trained> {
  // Others continue from the agreed state; only the leader has to store it.
  if (member.rounds.isLeader && member.rounds.outer.round > member.saved.round) await save(member);
  return { outcome };
}

/** An early end cancels waits; other errors are rethrown. */
function ignoreAbort({ requestedEnd }: JobContext): (error: unknown) => void {
  return (error) => {
    const isAbort = error instanceof Error && error.name === 'AbortError';
    if (!isAbort || !requestedEnd()) throw error;
  };
}
