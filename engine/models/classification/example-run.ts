import type { Player } from '../../backends/backend.ts';
import type { ModelSpec } from '../../checkpoint/checkpoint.ts';
import {
  bytesOfForm,
  isTrainedForm,
  roundBlock,
  TRAINED_FORM,
  type WeightForm,
} from '../../checkpoint/stored-weights.ts';
import type { Examples } from '../../data/examples.ts';
import { EngineError } from '../../errors.ts';
import { majorityFloor } from '../../evaluation/floors.ts';
import { wordCount } from '../../graph/tensor.ts';
import { type Classifier, traceTraining, type ValidateProgram } from './classifier.ts';
import { createExampleFeed, inEveryStep } from './example-feed.ts';
import { readParameters } from '../../train/parameter-blocks.ts';
import type { PrivacyLevel } from '../../train/privacy/privacy-levels.ts';
import { preparePrivacy, type PrivateParts } from './private-run.ts';
import { checkResume } from '../../train/resume.ts';
import type { TrainingRun, Validation } from '../../train/run.ts';
import type { TrainingOptions } from '../family.ts';
import type { RunParts } from '../../train/run-parts.ts';
import { startFamilyRun } from '../start-run.ts';
import { traceValidations, VALIDATION_BATCH, validateExamples } from './validate-examples.ts';

/** What a family that tells classes apart gives to its run. */
export interface ExampleParts {
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
    floors: () => Promise.resolve([majorityFloor(labelsOf(learned), labelsOf(validation))]),
    validate: (player) => validate(player, { classifier, validations, examples: validation, form }),
  });
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
