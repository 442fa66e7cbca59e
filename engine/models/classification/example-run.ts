import type { Player } from '../../graph/backend.ts';
import type { ModelSpec } from '../../checkpoint/checkpoint.ts';
import {
  bytesOfForm,
  isTrainedForm,
  roundBlock,
  TRAINED_FORM,
  type WeightForm,
} from '../../checkpoint/stored-weights.ts';
import { batchSizes, emptyBatch, type Examples, fillBatch } from '../../data/examples.ts';
import { EngineError } from '../../errors.ts';
import { type ClassificationFigures, createConfusionMeter } from '../../evaluation/confusion.ts';
import { type Floor, majorityFloor } from '../../evaluation/floors.ts';
import { linearFloor } from '../../evaluation/linear-floor.ts';
import type { Pause } from '../../evaluation/pauses.ts';
import { argmax } from '../../numbers.ts';
import { wordCount } from '../../graph/tensor.ts';
import type { PrivacyLevel } from '../../settings/stored-fields.ts';
import { readParameters } from '../../train/parameter-blocks.ts';
import { checkResume } from '../../train/resume.ts';
import type { RunParts } from '../../train/run-parts.ts';
import type { TrainingRun, Validation } from '../../train/run.ts';
import { type LayerActivity, layerActivity } from '../../train/spike-statistics.ts';
import type { TrainingOptions } from '../family.ts';
import { startFamilyRun } from '../start-run.ts';
import {
  type Classifier,
  traceTraining,
  traceValidation,
  type ValidateProgram,
  VALIDATION_BATCH,
} from './classifier.ts';
import { createExampleFeed, inEveryStep } from './example-feed.ts';
import { preparePrivacy, type PrivateParts } from './private-run.ts';

/** Parts of a classification run. */
interface ExampleParts {
  readonly classifier: Classifier<unknown>;
  readonly spec: ModelSpec;
  readonly data: { readonly name: string; readonly sha256: string; readonly examples: number };
  readonly learned: Examples;
  readonly validation: Examples;
  readonly form: WeightForm;
  readonly privacyLevel: PrivacyLevel;
}

/**
 * Starts a run that learns from labelled examples, privately where its level says so, and is validated on
 * others. Throws EngineError `images-invalid` or `signal-invalid` where they are not what the model takes.
 */
export async function startExampleRun(
  options: TrainingOptions,
  parts: ExampleParts,
): Promise<TrainingRun> {
  const { settings, resume } = options;
  const { classifier, spec, data, learned, validation, form } = parts;
  if (resume) checkResume(resume, { spec, data });
  for (const examples of [learned, validation]) checkExamples(classifier, examples);
  const validations = traceValidations(classifier, validation.count, VALIDATION_BATCH);
  const training = prepareTraining(options, parts);
  return startFamilyRun(options, {
    ...training,
    form,
    layout: classifier.layout,
    programs: [...training.programs, ...validations.map(({ program }) => program)],
    itemsPerStep: settings.batch,
    spec,
    data,
    guess: Math.log(classifier.classes),
    floors: (pause) => floorsOf(parts, pause),
    validate: (player) => validate(player, { classifier, validations, examples: validation, form }),
    views: () => ({ examples: learned }),
  });
}

/** A private run has no linear classifier beside it, which would disclose some of its examples. */
async function floorsOf(
  { learned, validation, privacyLevel }: ExampleParts,
  pause: Pause,
): Promise<readonly Floor[]> {
  const majority = majorityFloor(labelsOf(learned), labelsOf(validation));
  if (privacyLevel !== 'none') return [majority];
  const linear = await linearFloor(learned, validation, pause);
  return linear ? [majority, linear] : [majority];
}

const labelsOf = (examples: Examples) =>
  Array.from({ length: examples.count }, (_, example) => examples.label(example));

type TrainingParts = Pick<RunParts, 'train' | 'feed' | 'programs'> & Partial<PrivateParts>;

function prepareTraining(
  { settings, controls, resume, dataSeed = settings.seed }: TrainingOptions,
  { classifier, learned, privacyLevel }: ExampleParts,
): TrainingParts {
  if (privacyLevel !== 'none') {
    return preparePrivacy({ classifier, learned, level: privacyLevel, settings, controls, resume });
  }
  const { batch } = settings;
  const train = traceTraining(classifier, batch, controls);
  const targets = new Uint32Array(wordCount(train.targets));
  const feed = createExampleFeed(learned, {
    batch,
    seed: dataSeed,
    write(player, { inputs, labels }) {
      player.write(train.inputs, inputs);
      player.write(train.targets, inEveryStep(labels, targets));
    },
  });
  return { train, feed, programs: [train.program] };
}

interface ValidationParts {
  readonly classifier: Classifier<unknown>;
  readonly validations: readonly ValidateProgram[];
  readonly examples: Examples;
  readonly form: WeightForm;
}

/** Also measures the model as it is stored, where that is in fewer digits than it is trained in. */
async function validate(
  player: Player,
  { classifier: { layout }, validations, examples, form }: ValidationParts,
): Promise<Validation> {
  const { loss, figures, layers } = await validateExamples(player, validations, examples);
  const trained = {
    accuracy: figures.accuracy,
    balanced_accuracy: figures.balancedAccuracy,
    macro_f1: figures.macroF1,
    trained_bytes: bytesOfForm(layout, TRAINED_FORM),
    stored_bytes: bytesOfForm(layout, form),
  };
  const confusion = figures.matrix;
  if (isTrainedForm(form)) return { loss, layers, figures: trained, confusion };
  const values = (await readParameters(player, layout)).slice();
  player.write(layout.values, roundBlock(layout, values, form));
  try {
    const stored = await validateExamples(player, validations, examples);
    const ofStored = { stored_accuracy: stored.figures.accuracy, stored_loss: stored.loss };
    return { loss, layers, figures: { ...trained, ...ofStored }, confusion };
  } finally {
    player.write(layout.values, values);
  }
}

function checkExamples(
  { inputs, frames = 1, classes }: Classifier<unknown>,
  examples: Examples,
): void {
  const fits = examples.width === inputs && examples.frames === frames;
  if (examples.count > 0 && fits && examples.classes <= classes) return;
  throw new EngineError(
    'invalid-structure',
    `there are ${examples.count} examples of ${examples.frames} x ${examples.width} numbers in ` +
      `${examples.classes} classes: the model takes ${frames} x ${inputs} and has ${classes} classes`,
  );
}

/** How well a classifier does on examples. */
interface ExampleValidation {
  /** Mean nats of an example and time step of the logits. */
  readonly loss: number;
  readonly figures: ClassificationFigures;
  readonly layers: readonly LayerActivity[];
}

/** Programs for whole batches and for what is left over, so that every example counts once and nothing else. */
export function traceValidations(
  classifier: Classifier<unknown>,
  count: number,
  batch: number,
): ValidateProgram[] {
  return batchSizes(count, batch).map((size) => traceValidation(classifier, size));
}

/** Asks a classifier for all examples. The programs are those of `traceValidations` for as many. */
async function validateExamples(
  player: Player,
  programs: readonly ValidateProgram[],
  examples: Examples,
): Promise<ExampleValidation> {
  const meter = createConfusionMeter(classesOf(programs));
  for (const { layers } of programs) {
    for (const { counts } of layers) player.write(counts, new Uint32Array(wordCount(counts)));
  }
  let [loss, losses] = [0, 0];
  for (const { program, first } of batchesOf(programs, examples.count)) {
    const nats = await answerBatch(player, { program, examples, first, add: meter.add });
    for (const one of nats) loss += one;
    losses += nats.length;
  }
  const figures = meter.figures();
  if (!figures) throw new Error('there are no examples in a set that was checked for some');
  return {
    loss: loss / losses,
    figures,
    layers: await activityOf(player, programs, examples.count),
  };
}

function classesOf([program]: readonly ValidateProgram[]): number {
  return program?.scores.shape.at(-1) ?? 1;
}

function* batchesOf([whole, rest]: readonly ValidateProgram[], count: number) {
  if (!whole) return;
  let first = 0;
  for (; first + whole.batch <= count; first += whole.batch) yield { program: whole, first };
  if (rest) yield { program: rest, first };
}

interface Question {
  readonly program: ValidateProgram;
  readonly examples: Examples;
  readonly first: number;
  readonly add: (truth: number, answer: number) => void;
}

/** The nats of a batch's losses; its answers are added up. */
async function answerBatch(
  player: Player,
  { program: { program, batch, inputs, targets, losses, scores }, examples, first, add }: Question,
): Promise<Float32Array | Uint32Array> {
  const filled = emptyBatch(examples, batch);
  fillBatch(
    examples,
    Array.from({ length: batch }, (_, row) => first + row),
    filled,
  );
  player.write(inputs, filled.inputs);
  player.write(targets, inEveryStep(filled.labels, new Uint32Array(wordCount(targets))));
  player.play(program);
  const [nats, answers] = await Promise.all([player.read(losses), player.read(scores)]);
  const classes = answers.length / batch;
  for (const [row, label] of filled.labels.entries()) {
    add(label, argmax(answers.subarray(row * classes, (row + 1) * classes)));
  }
  return nats;
}

async function activityOf(
  player: Player,
  programs: readonly ValidateProgram[],
  count: number,
): Promise<LayerActivity[]> {
  const [whole, rest] = programs;
  const activities = (whole?.layers ?? []).map(async ({ name, counts, steps }, layer) => {
    // Counters are always u32.
    const spikes = (await player.read(counts)) as Uint32Array;
    const others = rest?.layers[layer];
    const more = others ? await player.read(others.counts) : undefined;
    const all = more ? spikes.map((spike, neuron) => spike + (more[neuron] ?? 0)) : spikes;
    return layerActivity(name, all, count * steps);
  });
  return Promise.all(activities);
}
