import type { Backend, Player } from '../../backends/backend.ts';
import { createImageSampler, type ImageSampler, imagesInOrder } from '../../data/image-batches.ts';
import type { LabelledImages } from '../../data/labelled-images.ts';
import { EngineError } from '../../errors.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import { wordCount } from '../../graph/tensor.ts';
import {
  type Classifier,
  type EvaluateProgram,
  HISTORY_SLOTS,
  traceEvaluation,
  traceTraining,
  type TrainProgram,
} from './classifier.ts';
import { createStepInputs, type StepInputs } from '../../ops/step-inputs.ts';
import { keyOf } from '../../random/philox.ts';
import { initialValues } from '../../train/initial-values.ts';
import { readParameters } from '../../train/parameter-blocks.ts';

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

export interface ClassifierOptions<Structure> {
  readonly backend: Backend;
  readonly classifier: Classifier<Structure>;
  readonly settings: ClassifierSettings;
  /** To learn from. */
  readonly images: LabelledImages;
}

/** A classifier as it is used. */
export interface TrainedClassifier<Structure> {
  readonly structure: Structure;
  readonly layout: ParameterLayout;
  /** The parameter block. */
  readonly values: Float32Array;
}

/** Training of a spiking classifier on one device. */
export interface ClassifierRun<Structure> {
  readonly stepsPerEpoch: number;
  /**
   * Trains `count` steps, at the rate of the settings where no other is given; the mean loss of each, in
   * nats an image and time step of the logits. Throws EngineError `diverged` when it is no number any more.
   */
  advance(count: number, learningRate?: number): Promise<Float32Array>;
  /** Share of right answers, from 0 to 1. */
  accuracy(images: LabelledImages): Promise<number>;
  /** The classifier as it is now. */
  model(): Promise<TrainedClassifier<Structure>>;
  close(): void;
}

/** Steps queued before their losses are read. */
const QUEUE_STEPS = 32;
/** Larger than any norm: gradients are not clipped. */
const UNCLIPPED = 1e30;

interface Session {
  readonly classifier: Classifier<unknown>;
  readonly settings: ClassifierSettings;
  readonly player: Player;
  readonly train: TrainProgram;
  readonly evaluate: EvaluateProgram;
  readonly sampler: ImageSampler;
  readonly inputs: StepInputs;
  /** The classes of a step's images, once for every time step of the logits. */
  readonly targets: Uint32Array;
  step: number;
}

/** Prepares a run: traces and compiles the programs and draws the first parameters. */
export async function createClassifierRun<Structure>(
  options: ClassifierOptions<Structure>,
): Promise<ClassifierRun<Structure>> {
  const { backend, classifier, settings, images } = options;
  const { structure, layout } = classifier;
  checkImages(classifier, images);
  const train = traceTraining(classifier, settings.batch, settings);
  const evaluate = traceEvaluation(classifier, settings.batch);
  const sampler = createImageSampler(images, settings.batch, settings.seed);
  const player = await backend.load(layout, [train.program, evaluate.program]);
  for (const parameter of layout.parameters) {
    player.write(parameter.value, initialValues(parameter, settings.seed));
  }
  const { beta1, beta2, seed } = settings;
  const unchanging = { beta1, beta2, seed: keyOf(seed), weightDecay: 0, clipNorm: UNCLIPPED };
  const session: Session = {
    classifier,
    settings,
    player,
    train,
    evaluate,
    sampler,
    inputs: createStepInputs(unchanging),
    targets: new Uint32Array(wordCount(train.targets)),
    step: 0,
  };
  return {
    stepsPerEpoch: sampler.stepsPerEpoch,
    advance: (count, rate = settings.learningRate) => advance(session, count, rate),
    accuracy: (test) => accuracy(session, test),
    model: async () => ({ structure, layout, values: await readParameters(player, layout) }),
    close: () => player.close(),
  };
}

async function advance(session: Session, count: number, rate: number): Promise<Float32Array> {
  const losses = new Float32Array(count);
  for (let done = 0; done < count;) {
    const queued = Math.min(QUEUE_STEPS, count - done);
    const first = session.step;
    for (let i = 0; i < queued; i++) queueStep(session, rate);
    const slots = await session.player.read(session.train.losses);
    for (let i = 0; i < queued; i++) {
      const loss = slots[(first + i) % HISTORY_SLOTS] ?? Number.NaN;
      if (!Number.isFinite(loss)) throw diverged(rate, first + i, loss);
      losses[done + i] = loss;
    }
    done += queued;
  }
  return losses;
}

function queueStep(session: Session, learningRate: number): void {
  const { player, train, sampler, inputs, targets } = session;
  const step = session.step++;
  const images = sampler.batch(step);
  inputs.set(step, learningRate);
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
  const { classifier, settings, player, evaluate } = session;
  const { classes } = classifier;
  checkImages(classifier, test);
  let right = 0;
  for (const { inputs, labels } of imagesInOrder(test, settings.batch)) {
    player.write(evaluate.inputs, inputs);
    player.play(evaluate.program);
    const scores = await player.read(evaluate.scores);
    for (const [row, label] of labels.entries()) {
      const ofRow = scores.subarray(row * classes, (row + 1) * classes);
      if (indexOfLargest(ofRow) === label) right++;
    }
  }
  return right / test.count;
}

/** The first of those that are as large as any. */
function indexOfLargest(scores: ArrayLike<number>): number {
  let largest = 0;
  for (let i = 1; i < scores.length; i++) {
    if ((scores[i] ?? 0) > (scores[largest] ?? 0)) largest = i;
  }
  return largest;
}

function checkImages({ inputs, classes }: Classifier<unknown>, images: LabelledImages): void {
  if (images.pixels === inputs && images.classes <= classes) return;
  throw new EngineError(
    'images-invalid',
    `the images have ${images.pixels} pixels and ${images.classes} classes: ` +
      `the model takes ${inputs} inputs and tells ${classes} classes apart`,
  );
}

function diverged(learningRate: number, step: number, loss: number): EngineError {
  return new EngineError(
    'diverged',
    `the loss is ${loss} at step ${step}: learning_rate ${learningRate} is too high for this model`,
  );
}
