import { EngineError } from '../errors.ts';
import { QUEUE_STEPS, readSteps } from '../train/step-history.ts';
import type { Data } from './batch-source.ts';
import { diagnose } from './diagnosis.ts';
import { judge } from './evaluate.ts';
import { checkFit, type EpochReport, type FitOptions } from './fit-options.ts';
import { averagingText } from './fit-average.ts';
import {
  closeSession,
  type Ending,
  endOf,
  openSession,
  type Session,
  tooFew,
} from './fit-session.ts';
import type { Model } from './model.ts';
import { judgedBy } from './resumed-run.ts';
import { encodeTraining } from './training-file.ts';

/** Steps without a finite gradient in a row after which all others will be so, too. */
const MAX_SKIPPED = 4;
/** Everything that training has learned of itself. */
export interface History {
  /** One for each epoch that ended, from where this call began. */
  readonly epochs: readonly EpochReport[];
  /** Mean loss, and norm of the gradient before clipping, of each step of this call. */
  readonly losses: Float32Array;
  readonly norms: Float32Array;
  /** Steps done, in all epochs. */
  readonly step: number;
  /** The epoch, from 1 on, whose validation was best; absent without validation. */
  readonly best?: number;
  readonly ended: Ending;
  readonly seconds: number;
  /** Where training stands as a safetensors file: parameters and moments, for the option `resume`. */
  save(): Uint8Array<ArrayBuffer>;
}

/**
 * Trains a model, whose parameters it overwrites after every epoch. The same seed gives the same digits on one
 * device. Throws EngineError for options and data that do not fit the network, and `diverged` naming the step
 * and the layer where the loss is no number any more, or nothing is learned as no spikes reach it; the model
 * then has the parameters of the epoch before.
 */
export async function fit(model: Model, data: Data, options: FitOptions): Promise<History> {
  const session = await openSession(model, data, checkFit(options));
  try {
    while (!session.ended) await runEpoch(session);
    return await historyOf(session);
  } catch (error) {
    throw isLost(error) ? lostDevice(session, error) : error;
  } finally {
    closeSession(session);
  }
}

async function runEpoch(session: Session): Promise<void> {
  const { source, batch, losses } = session;
  const first = losses.length;
  await source.begin(session.epoch, session.stepOfEpoch, batch.rows);
  for (;;) {
    const { queued, isOver } = await queueSteps(session);
    if (queued > 0) await readQueue(session, queued);
    if (session.ended) return;
    if (isOver) break;
  }
  if (losses.length === first && session.stepOfEpoch === 0) {
    throw tooFew(batch.rows);
  }
  session.perEpoch = session.stepOfEpoch;
  session.epoch++;
  session.stepOfEpoch = 0;
  await endEpoch(session, losses.slice(first));
}

/** Queues some steps, until their losses have to be read or the epoch is over. */
async function queueSteps(session: Session): Promise<{ queued: number; isOver: boolean }> {
  const { player, program, source, batch, inputs, options, perEpoch } = session;
  for (let queued = 0; queued < QUEUE_STEPS; queued++) {
    if (options.signal?.aborted) {
      session.ended = 'aborted';
      return { queued, isOver: false };
    }
    const filling = perEpoch === session.stepOfEpoch ? 0 : source.take(batch);
    const rows = typeof filling === 'number' ? filling : await filling;
    if (rows < batch.rows) return { queued, isOver: true };
    inputs.set(session.step, rateOf(session));
    player.write(program.clock, inputs.clock);
    player.write(program.rates, inputs.rates);
    program.play(player, batch);
    session.average?.afterStep(player);
    session.step++;
    session.stepOfEpoch++;
  }
  return { queued: QUEUE_STEPS, isOver: false };
}

/** The learning rate of the next step. */
function rateOf({ options, step, totalSteps }: Session): number {
  const { optimizer, schedule } = options;
  return optimizer.learningRate * (schedule?.(step, totalSteps) ?? 1);
}

async function readQueue(session: Session, queued: number): Promise<void> {
  const { player, program, options, losses, norms, step, epoch, started } = session;
  const into = { losses: new Float32Array(queued), norms: new Float32Array(queued) };
  await readSteps(player, program, { first: step - queued, count: queued, into, at: 0 });
  losses.push(...into.losses);
  norms.push(...into.norms);
  await checkHealth(session, queued);
  options.onReport?.({
    epoch: epoch + 1,
    epochs: options.epochs,
    step,
    loss: meanOf(into.losses),
    norm: into.norms.at(-1) ?? Number.NaN,
    learningRate: session.inputs.rates[0] ?? Number.NaN,
    seconds: secondsSince(started),
  });
}

async function checkHealth(session: Session, queued: number): Promise<void> {
  const { losses, norms, step } = session;
  const recent = losses.slice(-queued);
  const bad = recent.findIndex((loss) => !Number.isFinite(loss));
  if (bad >= 0) {
    throw await diverged(session, `the loss is ${recent[bad]} at step ${step - queued + bad + 1}`);
  }
  const skipped = norms.slice(-MAX_SKIPPED).filter((norm) => !Number.isFinite(norm)).length;
  if (skipped === MAX_SKIPPED) {
    throw await diverged(session, `the gradient is not finite from step ${step - skipped + 1} on`);
  }
  const isBeginning = losses.length === queued;
  const isStill = norms.every((norm) => norm === 0) && meanOf(recent) > 0;
  if (isBeginning && isStill) throw await unreached(session);
}

async function diverged(session: Session, what: string): Promise<EngineError> {
  const { notFinite = 'the loss itself, as all layers are finite' } = await look(session);
  return new EngineError(
    'diverged',
    `fit: ${what}; the first to be no number is ${notFinite}: ` +
      'lower the learning rate, or clip the gradient, as adamW(5e-4, { clip: { norm: 1 } })',
  );
}

async function unreached(session: Session): Promise<EngineError> {
  const { silent, saturated } = await look(session);
  const who = silent.length > 0 ? `; none of the neurons of ${silent.join(', ')} fires` : '';
  if (saturated.length > 0) {
    return new EngineError(
      'diverged',
      `fit: no gradient reaches the parameters in the first ${session.step} steps; all neurons of ` +
        `${saturated.join(', ')} fire in every step: has their reset been forgotten, such as u = u - detach(s) ` +
        'behind the spike? Otherwise make the inputs smaller or the threshold higher',
    );
  }
  return new EngineError(
    'diverged',
    `fit: no gradient reaches the parameters in the first ${session.step} steps${who}: make the inputs or ` +
      'the first weights larger, the threshold lower, or take a surrogate that is nowhere zero, such as atan',
  );
}

async function look({ model, player, source, batch }: Session) {
  const { network, backend } = model;
  const values = (await player.read(network.layout.values)).slice() as Float32Array;
  const { inputs, rows } = batch;
  return diagnose({ network, backend, values, form: source, rows, inputs });
}

async function endEpoch(session: Session, losses: readonly number[]): Promise<void> {
  const { model, player, options, epoch, epochs, average } = session;
  average?.afterEpoch(player, epoch);
  model.values.set(await valuesOf(session));
  const figures = await judgeEpoch(session);
  const report: EpochReport = {
    epoch,
    loss: meanOf(losses),
    seconds: secondsSince(session.started),
    ...(figures && { validation: figures }),
  };
  epochs.push(report);
  noteBest(session, report);
  const answer = await options.onEpoch?.(report, model, async () => (await stateOf(session))());
  const end = endOf(options, session);
  session.ended = end !== 'epochs' && answer === 'stop' ? 'stopped' : end;
}

/** The parameters that training has come to, averaged where they are. */
async function valuesOf({ model, player, average }: Session): Promise<Float32Array> {
  const averaged = await average?.read(player);
  if (averaged && averaged.taken > 0) return averaged.values;
  return (await player.read(model.network.layout.values)) as Float32Array;
}

async function judgeEpoch({ model, validation, average, options }: Session) {
  if (!validation) return undefined;
  const { player, program, source } = validation;
  if (average) player.write(model.network.layout.values, model.values);
  return judge(player, program, source, options.loss.target);
}

function noteBest(session: Session, { epoch, validation }: EpochReport): void {
  const { options, best, model } = session;
  if (!validation) return;
  const by = judgedBy(options);
  const score = by === 'accuracy' ? (validation.accuracy ?? 0) : -(validation.loss ?? Infinity);
  if (!Number.isFinite(score) || (best && score <= best.score)) return;
  session.best = { epoch, score, by, values: options.keepBest ? model.values.slice() : undefined };
}

async function historyOf(session: Session): Promise<History> {
  const { model, step, best, started } = session;
  const save = await stateOf(session);
  model.values.set(best?.values ?? (await valuesOf(session)));
  return {
    epochs: session.epochs,
    losses: Float32Array.from(session.losses),
    norms: Float32Array.from(session.norms),
    step,
    ...(best && { best: best.epoch }),
    ended: session.ended ?? 'epochs',
    seconds: secondsSince(started),
    save,
  };
}

/** Reads where training stands; the function writes it as a file. */
async function stateOf(session: Session): Promise<() => Uint8Array<ArrayBuffer>> {
  const { model, player, options, step, epoch, stepOfEpoch, best, average } = session;
  const { layout } = model.network;
  // The blocks are always f32, and belong to the player.
  const read = async (name: 'values' | 'momentum' | 'variance') =>
    ((await player.read(layout[name])) as Float32Array).slice();
  const state = {
    values: await read('values'),
    momentum: await read('momentum'),
    variance: await read('variance'),
    average: await average?.read(player),
    best,
  };
  const { seed, batchSize, optimizer } = options;
  const averaging = averagingText(options.average);
  const run = { step, epoch, stepOfEpoch, seed, batchSize, averaging, optimizer: optimizer.name };
  return () => encodeTraining(layout, { ...run, ...state });
}

const isLost = (error: unknown): error is EngineError =>
  error instanceof EngineError && error.code === 'device-lost';

function lostDevice({ step, epoch, epochs }: Session, cause: EngineError): EngineError {
  const last = epochs.length === 0 ? 'it began with' : `epoch ${epoch} ended with`;
  return new EngineError(
    'device-lost',
    `fit: ${cause.message}, in epoch ${epoch + 1} behind step ${step}; the model has the parameters that ${last}: ` +
      'open a device anew and go on there with load(model.save()), and bit by bit with the option resume, given ' +
      'what save() of onEpoch wrote',
    { cause },
  );
}

const secondsSince = (started: number): number => (performance.now() - started) / 1000;

function meanOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] ?? 0;
  return sum / values.length;
}
