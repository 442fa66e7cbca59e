import type { Backend, Player } from '../backends/backend.ts';
import { createImageSampler, type ImageSampler, imagesInOrder } from '../data/image-batches.ts';
import type { LabelledImages } from '../data/labelled-images.ts';
import { EngineError } from '../errors.ts';
import { layOutParameters } from '../graph/parameters.ts';
import { spikingMlpParameters } from '../models/spiking-mlp/parameters.ts';
import {
  type EvaluateProgram,
  HISTORY_SLOTS,
  traceEvaluation,
  traceTraining,
  type TrainProgram,
} from '../models/spiking-mlp/programs.ts';
import type { StoredSpikingMlp } from '../models/spiking-mlp/stored.ts';
import { checkStructure, type SpikingMlpStructure } from '../models/spiking-mlp/structure.ts';
import { createStepInputs, type StepInputs } from '../ops/step-inputs.ts';
import { keyOf } from '../random/philox.ts';
import { initialValues } from './initial-values.ts';
import { readParameters } from './parameter-blocks.ts';

export interface ClassifierSettings {
  readonly batch: number;
  readonly learningRate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  readonly seed: number;
}

/** The settings of snnTorch's tutorial 5. */
export const tutorialSettings: ClassifierSettings = {
  batch: 128,
  learningRate: 5e-4,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  seed: 0,
};

export interface ClassifierOptions {
  readonly backend: Backend;
  readonly structure: SpikingMlpStructure;
  readonly settings: ClassifierSettings;
  /** To learn from. */
  readonly images: LabelledImages;
}

/** Training of a spiking classifier on one device. */
export interface ClassifierRun {
  readonly stepsPerEpoch: number;
  /**
   * Trains `count` steps; the mean loss of each, in nats an image and time step. Throws EngineError
   * `diverged` when it is no number any more.
   */
  advance(count: number): Promise<Float32Array>;
  /** Share of right answers, from 0 to 1. */
  accuracy(images: LabelledImages): Promise<number>;
  /** The classifier as it is now. */
  model(): Promise<StoredSpikingMlp>;
  close(): void;
}

/** Steps queued before their losses are read. */
const QUEUE_STEPS = 32;
/** Larger than any norm: gradients are not clipped. */
const UNCLIPPED = 1e30;

interface Session {
  readonly structure: SpikingMlpStructure;
  readonly settings: ClassifierSettings;
  readonly player: Player;
  readonly train: TrainProgram;
  readonly evaluate: EvaluateProgram;
  readonly sampler: ImageSampler;
  readonly inputs: StepInputs;
  /** The classes of a step's images, once for every time step. */
  readonly targets: Uint32Array;
  step: number;
}

/** Prepares a run: traces and compiles the programs and draws the first parameters. */
export async function createClassifierRun(options: ClassifierOptions): Promise<ClassifierRun> {
  const { backend, structure, settings, images } = options;
  checkStructure(structure);
  checkImages(structure, images);
  const layout = layOutParameters(spikingMlpParameters(structure));
  const train = traceTraining(layout, structure, settings.batch, settings);
  const evaluate = traceEvaluation(layout, structure, settings.batch);
  const sampler = createImageSampler(images, settings.batch, settings.seed);
  const player = await backend.load(layout, [train.program, evaluate.program]);
  for (const parameter of layout.parameters) {
    player.write(parameter.value, initialValues(parameter, settings.seed));
  }
  const { beta1, beta2, seed } = settings;
  const unchanging = { beta1, beta2, seed: keyOf(seed), weightDecay: 0, clipNorm: UNCLIPPED };
  const session: Session = {
    structure,
    settings,
    player,
    train,
    evaluate,
    sampler,
    inputs: createStepInputs(unchanging),
    targets: new Uint32Array(structure.steps * settings.batch),
    step: 0,
  };
  return {
    stepsPerEpoch: sampler.stepsPerEpoch,
    advance: (count) => advance(session, count),
    accuracy: (test) => accuracy(session, test),
    model: async () => ({ structure, layout, values: await readParameters(player, layout) }),
    close: () => player.close(),
  };
}

async function advance(session: Session, count: number): Promise<Float32Array> {
  const losses = new Float32Array(count);
  for (let done = 0; done < count;) {
    const queued = Math.min(QUEUE_STEPS, count - done);
    const first = session.step;
    for (let i = 0; i < queued; i++) queueStep(session);
    const slots = await session.player.read(session.train.losses);
    for (let i = 0; i < queued; i++) {
      const loss = slots[(first + i) % HISTORY_SLOTS] ?? Number.NaN;
      if (!Number.isFinite(loss)) throw diverged(session, first + i, loss);
      losses[done + i] = loss;
    }
    done += queued;
  }
  return losses;
}

function queueStep(session: Session): void {
  const { settings, player, train, sampler, inputs, targets } = session;
  const step = session.step++;
  const images = sampler.batch(step);
  inputs.set(step, settings.learningRate);
  player.write(train.inputs, images.inputs);
  player.write(train.targets, inEveryStep(images.labels, targets));
  player.write(train.clock, inputs.clock);
  player.write(train.rates, inputs.rates);
  player.play(train.program);
}

/** Writes the classes of a batch into `targets` once for every time step. */
export function inEveryStep(labels: Uint32Array, targets: Uint32Array): Uint32Array {
  for (let at = 0; at < targets.length; at += labels.length) targets.set(labels, at);
  return targets;
}

async function accuracy(session: Session, test: LabelledImages): Promise<number> {
  const { structure, settings, player, evaluate } = session;
  checkImages(structure, test);
  let right = 0;
  for (const { inputs, labels } of imagesInOrder(test, settings.batch)) {
    player.write(evaluate.inputs, inputs);
    player.play(evaluate.program);
    const counts = await player.read(evaluate.counts);
    for (const [row, label] of labels.entries()) {
      const spikes = counts.subarray(row * structure.classes, (row + 1) * structure.classes);
      if (mostActive(spikes) === label) right++;
    }
  }
  return right / test.count;
}

/** The first of the neurons that fired most often. */
function mostActive(spikes: ArrayLike<number>): number {
  let most = 0;
  for (let i = 1; i < spikes.length; i++) {
    if ((spikes[i] ?? 0) > (spikes[most] ?? 0)) most = i;
  }
  return most;
}

function checkImages({ inputs, classes }: SpikingMlpStructure, images: LabelledImages): void {
  if (images.pixels === inputs && images.classes <= classes) return;
  throw new EngineError(
    'images-invalid',
    `the images have ${images.pixels} pixels and ${images.classes} classes: ` +
      `the model takes ${inputs} inputs and tells ${classes} classes apart`,
  );
}

function diverged({ settings }: Session, step: number, loss: number): EngineError {
  return new EngineError(
    'diverged',
    `the loss is ${loss} at step ${step}: learning_rate ${settings.learningRate} is too high for this model`,
  );
}
