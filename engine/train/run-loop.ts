import type { Player } from '../graph/backend.ts';
import { EngineError } from '../errors.ts';
import type { Floor } from '../evaluation/floors.ts';
import { createPauses } from '../evaluation/pauses.ts';
import { type TrainedRun, verdictOf } from '../evaluation/verdict.ts';
import type { Program } from '../graph/program.ts';
import { createStepInputs, type StepInputs } from '../ops/step-inputs.ts';
import { keyOf } from '../random/philox.ts';
import { loadWeights, type RunWeights } from './averaging.ts';
import {
  readAgreed,
  readGradients,
  restoreBlocks,
  startParameters,
  writeAgreed,
} from './parameter-blocks.ts';
import { profileProgram } from './profile.ts';
import type { RunParts } from './run-parts.ts';
import type { Progress, RunOptions, TrainingRun, Validation } from './run.ts';
import { learningRateAt } from '../optimizers/learning-rate.ts';
import { progressOf, totalSteps } from './schedule.ts';
import { snapshot } from './snapshot.ts';
import { QUEUE_STEPS, readSteps, type StepNumbers } from './step-history.ts';

/** One batch may overflow; parameters that overflow for as many in a row will for all. */
const MAX_SKIPPED = 4;
/** So many times what a run began with, or what guessing costs, is far above; in so many steps in a row it is no rough start. */
const FAR_ABOVE = 2;
const MAX_FAR_ABOVE = 30;

interface Session extends Standing {
  readonly options: RunOptions;
  readonly parts: RunParts;
  readonly player: Player;
  readonly weights: RunWeights;
  readonly total: number | undefined;
  readonly inputs: StepInputs;
  /** The surrogate hardness of early steps. */
  readonly hardness: Float32Array;
}

/** How far a run has come. */
interface Standing {
  /** Steps of this optimiser. */
  step: number;
  /** Steps of the budget, and how many of them each step spends. */
  spentSteps: number;
  members: number;
  seconds: number;
  lastLoss: number | null;
  /** That of the first step since this run was started or resumed; a network may begin above guessing. */
  firstLoss: number | undefined;
  /** Steps in a row that the optimiser left out, as their gradient was not finite. */
  skipped: number;
  /** Steps in a row whose loss was far above that of guessing. */
  farAbove: number;
}

/** Loads a family's programs, sets or restores the parameters, and trains in the loop that all runs share. */
export async function startRun<Views extends object>(
  options: RunOptions,
  parts: RunParts<Views>,
): Promise<TrainingRun & Partial<Views>> {
  const { backend, settings, controls, resume } = options;
  const { layout, train, feed } = parts;
  const { player, programs, weights } = await loadWeights(backend, layout, {
    programs: parts.programs,
    span: controls.average,
  });
  parts.start?.(player);
  if (resume) restoreBlocks(player, parts, resume);
  else startParameters(player, layout, settings.seed);
  weights.begin(resume?.average);
  const session: Session = {
    options,
    parts,
    player,
    weights,
    total: totalSteps(settings.budget, feed.stepsPerEpoch),
    inputs: createStepInputs({
      ...controls,
      clipNorm: controls.gradClipNorm,
      seed: keyOf(settings.seed),
    }),
    hardness: new Float32Array(1),
    ...standingOf(options),
  };
  const floors = createFloors(parts);
  const run: TrainingRun = {
    device: backend.device,
    settings,
    layout,
    programs,
    stepsPerEpoch: feed.stepsPerEpoch,
    itemsPerStep: parts.itemsPerStep,
    totalSteps: session.total,
    step: () => session.step,
    progress: () => shareSpent(session),
    advance: (count) => advance(session, count),
    validate: () => validate(session),
    floors: floors.get,
    verdict: async (validation) => verdictOf(validation, await floors.get(), trainedOf(session)),
    checkpoint: () => snapshot({ ...session, position: positionOf(session) }),
    ...agreement(session),
    gradients: () => readGradients(player, layout),
    reseedData: (seed) => feed.reseed(seed),
    shareBudget: (spentSteps, members) => Object.assign(session, { spentSteps, members }),
    profile(plays) {
      weights.learn();
      return profileProgram(player, train.program, plays);
    },
    close() {
      floors.close();
      player.close();
    },
  };
  // A family without views has none of their members.
  const views = parts.views?.(weights.shown) ?? ({} as Partial<Views>);
  return { ...run, ...views };
}

/** Members of a distributed run agree on the weights that learn, whatever average is the model. */
function agreement({ player, parts, weights }: Session) {
  return {
    parameters() {
      weights.learn();
      return readAgreed(player, parts);
    },
    setParameters(values: Float32Array) {
      weights.learn();
      writeAgreed(player, parts, values);
      weights.begin();
    },
  };
}

/** The floors of a run, which are computed once and end with it. */
function createFloors({ floors }: RunParts) {
  const closing = new AbortController();
  let computed: Promise<readonly Floor[]> | undefined;
  const compute = () => {
    const result = floors(createPauses(closing.signal));
    // Whoever asks is told; nobody may.
    result.catch(() => undefined);
    return result;
  };
  return { get: () => (computed ??= compute()), close: () => closing.abort() };
}

/** How the run went, for the reason of what it did not reach. */
function trainedOf({ parts, options, ...standing }: Session): TrainedRun {
  return {
    steps: standing.step,
    itemsPerStep: parts.itemsPerStep,
    stepsPerEpoch: parts.feed.stepsPerEpoch,
    parameters: parts.layout.count,
    learningRate: options.settings.learningRate,
    firstLoss: standing.firstLoss ?? parts.guess,
    lastLoss: standing.lastLoss ?? parts.guess,
  };
}

function standingOf({ resume }: RunOptions): Standing {
  const { step, seconds, last_loss } = resume?.state ?? { step: 0, seconds: 0, last_loss: null };
  const counters = { skipped: 0, farAbove: 0, firstLoss: undefined };
  return { step, spentSteps: step, members: 1, seconds, lastLoss: last_loss, ...counters };
}

async function advance(session: Session, count: number): Promise<Progress> {
  const { player, parts } = session;
  const { train, feed, itemsPerStep } = parts;
  const numbers = { losses: new Float32Array(count), norms: new Float32Array(count) };
  const started = performance.now();
  for (let done = 0; done < count;) {
    const queued = Math.min(QUEUE_STEPS, count - done);
    const first = session.step;
    for (let i = 0; i < queued; i++) {
      const loading = feed.load(session.step);
      if (loading) await loading;
      queueStep(session);
    }
    await readSteps(player, train, { first, count: queued, into: numbers, at: done });
    checkHealth(session, numbers, done, done + queued);
    done += queued;
  }
  const seconds = (performance.now() - started) / 1000;
  session.seconds += seconds;
  return { ...numbers, seconds, tokensPerSecond: (count * itemsPerStep) / seconds };
}

function queueStep(session: Session): void {
  const { options, player, weights, parts, inputs, step } = session;
  const { settings, controls } = options;
  const { train, feed } = parts;
  const progress = shareSpent(session);
  weights.learn();
  const scheduled = learningRateAt(settings.learningRate, controls, progress, session.total);
  inputs.set(step, options.rateAt?.(step) ?? scheduled);
  feed.write(player, step);
  player.write(train.clock, inputs.clock);
  player.write(train.rates, inputs.rates);
  player.play(programOf(session, progress));
  weights.take();
  session.step++;
  session.spentSteps += session.members;
}

/** The program of a step; an early one gets the progress as its hardness. */
function programOf({ parts, player, hardness, step }: Session, progress: number): Program {
  const { program, groups, early } = parts.train;
  if (!early || progress >= early.until) return groups?.[step % groups.length] ?? program;
  hardness[0] = progress / early.until;
  player.write(early.hardness, hardness);
  return early.program;
}

function shareSpent({ options, parts, spentSteps, seconds }: Session): number {
  const { stepsPerEpoch } = parts.feed;
  return progressOf(options.settings.budget, stepsPerEpoch, { step: spentSteps, seconds });
}

async function validate(session: Session): Promise<Validation> {
  const validation = await session.parts.validate(session.weights.shown);
  const { loss } = validation;
  if (!Number.isFinite(loss)) throw diverged(session, `the loss is ${loss}`);
  const losses = [loss, session.lastLoss ?? 0];
  if (shareSpent(session) >= 1 && losses.every((one) => one > farAboveOf(session)))
    throw diverged(session, `the validation loss is ${aboveGuess(session, loss)}`);
  return validation;
}

function positionOf({ step, parts }: Session) {
  const { stepsPerEpoch } = parts.feed;
  return { epoch: Math.floor(step / stepsPerEpoch), step_in_epoch: step % stepsPerEpoch };
}

/** Of so many steps from one on. Loops by number: nothing is allocated while all is well. */
function checkHealth(
  session: Session,
  { losses, norms }: StepNumbers,
  from: number,
  to: number,
): void {
  const loss = losses[to - 1] ?? Number.NaN;
  if (!Number.isFinite(loss)) throw diverged(session, `the loss is ${loss}`);
  session.lastLoss = loss;
  session.firstLoss ??= losses[from];
  const far = farAboveOf(session);
  for (let i = from; i < to; i++) {
    session.farAbove = (losses[i] ?? 0) > far ? session.farAbove + 1 : 0;
    session.skipped = Number.isFinite(norms[i]) ? 0 : session.skipped + 1;
  }
  if (session.farAbove >= MAX_FAR_ABOVE) {
    const steps = `for ${session.farAbove} steps in a row`;
    throw diverged(
      session,
      `the loss is ${aboveGuess(session, loss)}, and was far above it ${steps}`,
    );
  }
  // Spikes hide a membrane that is no number: the loss stays finite while nothing is learned any more.
  if (session.skipped < MAX_SKIPPED) return;
  throw diverged(session, `the gradient is not finite for ${session.skipped} steps in a row`);
}

/**
 * The loss from which on one is far above guessing. Only a fresh network may begin above guessing: one that diverged
 * before does not excuse itself by where it is.
 */
const farAboveOf = ({ parts, options, firstLoss = 0 }: Session) =>
  FAR_ABOVE * Math.max(parts.guess, options.resume?.state.step ? 0 : firstLoss) + 1;

const aboveGuess = ({ parts }: Session, loss: number) =>
  `${loss.toFixed(2)} nats, where guessing costs ${parts.guess.toFixed(2)}`;

function diverged({ step, options }: Session, what: string): EngineError {
  return new EngineError(
    'diverged',
    `${what} at step ${step}: learning_rate ${options.settings.learningRate} ` +
      `is too high for this model; begin anew with a lower one, or leave it out`,
  );
}
