import type { Backend, DeviceDescription, Player } from '../backends/backend.ts';
import type { CheckpointFiles } from '../checkpoint/files.ts';
import type { StoredTraining } from '../checkpoint/checkpoint.ts';
import type { Corpus } from '../data/corpus.ts';
import { splitCorpus } from '../data/split.ts';
import {
  createWindowSampler,
  spreadWindows,
  type Batch,
  type WindowSampler,
} from '../data/windows.ts';
import { EngineError } from '../errors.ts';
import type { ParameterLayout } from '../graph/parameters.ts';
import type { Program } from '../graph/program.ts';
import { createTextGenerator, type TextGenerator } from '../models/dense-chronospike/generator.ts';
import { createObserver, type Observer } from '../models/dense-chronospike/observer.ts';
import {
  type EvaluateProgram,
  HISTORY_SLOTS,
  type TrainProgram,
} from '../models/dense-chronospike/programs.ts';
import { createStepInputs, packClock, type StepInputs } from '../ops/step-inputs.ts';
import { keyOf } from '../random/philox.ts';
import { clearCounts, readActivity } from './activity-meter.ts';
import {
  readParameters,
  restoreBlocks,
  startParameters,
  writeParameters,
} from './parameter-blocks.ts';
import { type KernelProfile, profileProgram } from './profile.ts';
import type { ProfileName } from './profiles.ts';
import { checkResume } from './resume.ts';
import { traceRun } from './plan-training.ts';
import { learningRateAt, progressOf, totalSteps } from './schedule.ts';
import { checkSettings, type TrainingControls, type TrainingSettings } from './settings.ts';
import { snapshot } from './snapshot.ts';
import type { LayerActivity } from './spike-statistics.ts';

export interface TrainingOptions {
  readonly backend: Backend;
  readonly corpus: Corpus;
  readonly settings: TrainingSettings;
  readonly controls: TrainingControls;
  /** Written into checkpoints; that of the run that goes on where it is left out. */
  readonly profile?: ProfileName;
  /** Go on from here; must be of the same corpus and structure. */
  readonly resume?: StoredTraining;
  /** Decides which windows are drawn; the seed of the settings where it is left out. */
  readonly dataSeed?: number;
}

/** What some steps of training gave. */
export interface Progress {
  /** Mean nats per character of each step. */
  readonly losses: Float32Array;
  /** Global norm of the gradient at each step, before clipping. */
  readonly norms: Float32Array;
  readonly seconds: number;
  readonly tokensPerSecond: number;
}

/** How well the model does on text it does not learn from. */
export interface Validation {
  readonly loss: number;
  readonly layers: readonly LayerActivity[];
}

/** One training run on one device. Steps, validation and generation may be interleaved freely. */
export interface TrainingRun {
  readonly device: DeviceDescription;
  readonly settings: TrainingSettings;
  readonly layout: ParameterLayout;
  readonly programs: readonly Program[];
  readonly stepsPerEpoch: number;
  /** Steps the budget allows; undefined for a budget in minutes. */
  readonly totalSteps: number | undefined;
  readonly generator: TextGenerator;
  readonly observer: Observer;
  /** Optimiser steps done. */
  step(): number;
  /** Share of the budget spent, from 0 to 1. */
  progress(): number;
  /** Trains `count` steps. Throws EngineError `diverged` when the loss or the gradient is no number any more. */
  advance(count: number): Promise<Progress>;
  /** Throws EngineError `diverged` as `advance`. */
  validate(): Promise<Validation>;
  checkpoint(): Promise<CheckpointFiles>;
  /** A copy of the parameter block, padding included. */
  parameters(): Promise<Float32Array>;
  /** Overwrites the parameter block; the moments of the optimiser stay as they are. */
  setParameters(values: Float32Array): void;
  /** Draws other windows from the next step on. Not while `advance` runs. */
  reseedData(seed: number): void;
  /**
   * Tells how many steps of the budget all members of a distributed run have spent, and how many
   * train now: each step spends as many. The schedule follows what is spent. A budget of minutes
   * is spent by the clock of this member.
   */
  shareBudget(spentSteps: number, members: number): void;
  /**
   * Plays the training step `plays` times more on its last batch and says what each kernel took. The
   * parameters learn from it: profile when the run is done.
   */
  profile(plays: number): Promise<readonly KernelProfile[]>;
  close(): void;
}

/** Steps queued before their losses are read. */
const QUEUE_STEPS = 32;
/** Batches of a validation queued at once: few, so that text is generated and neurons are observed meanwhile. */
const QUEUE_BATCHES = 4;
const VALIDATION_WINDOWS = 256;
/** One batch may overflow; parameters that overflow for as many in a row will for all. */
const MOST_SKIPPED = 4;

interface Session extends Standing {
  readonly options: TrainingOptions;
  readonly player: Player;
  readonly train: TrainProgram;
  readonly evaluate: EvaluateProgram;
  readonly sampler: WindowSampler;
  readonly validation: readonly Batch[];
  readonly total: number | undefined;
  readonly inputs: StepInputs;
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
  /** Steps in a row that the optimiser left out, as their gradient was not finite. */
  skipped: number;
}

/** Prepares a run: splits the text, traces and compiles the programs, sets or restores the parameters. */
export async function createTrainingRun(options: TrainingOptions): Promise<TrainingRun> {
  const { backend, corpus, settings, controls, resume, dataSeed = settings.seed } = options;
  checkSettings(settings);
  const traced = traceRun(settings, controls, corpus.tokenizer.size);
  const { structure, layout, shape, train, evaluate, generate, observe, programs } = traced;
  if (resume) checkResume(resume, { corpus, structure, sequence: settings.sequence });
  const { train: range, validation } = splitCorpus(corpus, settings.sequence);
  const player = await backend.load(layout, programs);
  if (resume) restoreBlocks(player, layout, resume);
  else startParameters(player, layout, settings.seed);
  const sampler = createWindowSampler(corpus, range, shape, dataSeed);
  const session: Session = {
    options,
    player,
    train,
    evaluate,
    sampler,
    validation: await spreadWindows(corpus, validation, shape, VALIDATION_WINDOWS),
    total: totalSteps(settings.budget, sampler.stepsPerEpoch),
    inputs: createStepInputs({
      ...controls,
      clipNorm: controls.gradClipNorm,
      seed: keyOf(settings.seed),
    }),
    ...standingOf(resume),
  };
  return {
    device: backend.device,
    settings,
    layout,
    programs,
    stepsPerEpoch: sampler.stepsPerEpoch,
    totalSteps: session.total,
    generator: createTextGenerator(player, generate, corpus.tokenizer),
    observer: createObserver(player, observe, structure),
    step: () => session.step,
    progress: () => shareSpent(session),
    advance: (count) => advance(session, count),
    validate: () => validate(session),
    checkpoint: () =>
      snapshot({
        ...options,
        player,
        layout,
        structure,
        profile: profileOf(options),
        ...positionOf(session),
      }),
    parameters: () => readParameters(player, layout),
    setParameters: (values) => writeParameters(player, layout, values),
    reseedData: (seed) => sampler.reseed(seed),
    shareBudget: (spentSteps, members) => Object.assign(session, { spentSteps, members }),
    profile: (plays) => profileProgram(player, train.program, plays),
    close: () => player.close(),
  };
}

function profileOf({ profile, resume }: TrainingOptions): ProfileName | undefined {
  return profile ?? resume?.execution.convergence_profile;
}

function standingOf(resume: StoredTraining | undefined): Standing {
  const { step, seconds, last_loss } = resume?.state ?? { step: 0, seconds: 0, last_loss: null };
  return { step, spentSteps: step, members: 1, seconds, lastLoss: last_loss, skipped: 0 };
}

async function advance(session: Session, count: number): Promise<Progress> {
  const { player, train, sampler, options } = session;
  const losses = new Float32Array(count);
  const norms = new Float32Array(count);
  const started = performance.now();
  for (let done = 0; done < count;) {
    const queued = Math.min(QUEUE_STEPS, count - done);
    const first = session.step;
    for (let i = 0; i < queued; i++) {
      const loading = sampler.load(session.step);
      if (loading) await loading;
      queueStep(session);
    }
    const [lossSlots, normSlots] = await Promise.all([
      player.read(train.losses),
      player.read(train.norms),
    ]);
    for (let i = 0; i < queued; i++) {
      losses[done + i] = lossSlots[(first + i) % HISTORY_SLOTS] ?? Number.NaN;
      norms[done + i] = normSlots[(first + i) % HISTORY_SLOTS] ?? Number.NaN;
    }
    checkHealth(session, losses.subarray(done, done + queued), norms.subarray(done, done + queued));
    done += queued;
  }
  const seconds = (performance.now() - started) / 1000;
  session.seconds += seconds;
  const { batch, sequence } = options.settings;
  return { losses, norms, seconds, tokensPerSecond: (count * batch * sequence) / seconds };
}

function queueStep(session: Session): void {
  const { options, player, train, sampler, inputs, step } = session;
  const { settings, controls } = options;
  const { ids, targets } = sampler.batch(step);
  const progress = shareSpent(session);
  inputs.set(step, learningRateAt(settings.learningRate, controls, progress, session.total));
  player.write(train.ids, ids);
  player.write(train.targets, targets);
  player.write(train.clock, inputs.clock);
  player.write(train.rates, inputs.rates);
  player.play(train.program);
  session.step++;
  session.spentSteps += session.members;
}

function shareSpent({ options, sampler, spentSteps, seconds }: Session): number {
  return progressOf(options.settings.budget, sampler.stepsPerEpoch, { step: spentSteps, seconds });
}

async function validate(session: Session): Promise<Validation> {
  const { player, evaluate, validation, options } = session;
  const { settings } = options;
  clearCounts(player, evaluate.layers);
  let sum = 0;
  for (let first = 0; first < validation.length; first += QUEUE_BATCHES) {
    const batches = validation.slice(first, first + QUEUE_BATCHES);
    for (const [slot, { ids, targets }] of batches.entries()) {
      player.write(evaluate.ids, ids);
      player.write(evaluate.targets, targets);
      player.write(evaluate.clock, packClock({ step: 0, slot, seed: [0, 0] }));
      player.play(evaluate.program);
    }
    const losses = (await player.read(evaluate.losses)).subarray(0, batches.length);
    for (const loss of losses) sum += loss;
  }
  if (!Number.isFinite(sum)) throw diverged(session, `the loss is ${sum}`);
  const chances = validation.length * settings.batch * settings.sequence * settings.steps;
  return {
    loss: sum / validation.length,
    layers: await readActivity(player, evaluate.layers, chances),
  };
}

function positionOf({ step, seconds, lastLoss, sampler }: Session) {
  const { stepsPerEpoch } = sampler;
  const epoch = Math.floor(step / stepsPerEpoch);
  return { step, seconds, lastLoss, position: { epoch, step_in_epoch: step % stepsPerEpoch } };
}

function checkHealth(session: Session, losses: Float32Array, norms: Float32Array): void {
  const loss = losses.at(-1) ?? Number.NaN;
  if (!Number.isFinite(loss)) throw diverged(session, `the loss is ${loss}`);
  session.lastLoss = loss;
  for (const norm of norms) session.skipped = Number.isFinite(norm) ? 0 : session.skipped + 1;
  // Spikes hide a membrane that is no number: the loss stays finite while nothing is learned any more.
  if (session.skipped < MOST_SKIPPED) return;
  throw diverged(session, `the gradient is not finite for ${session.skipped} steps in a row`);
}

function diverged({ step, options }: Session, what: string): EngineError {
  return new EngineError(
    'diverged',
    `${what} at step ${step}: learning_rate ${options.settings.learningRate} ` +
      `is too high for this model; go on from the last checkpoint with a lower one`,
  );
}
