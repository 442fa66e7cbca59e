import type { Backend } from '../../engine/graph/backend.ts';
import { TRAINED_FORM } from '../../engine/checkpoint/stored-weights.ts';
import type { Examples } from '../../engine/data/examples.ts';
import type { LabelledImages } from '../../engine/data/images/labelled-images.ts';
import type { Classifier } from '../../engine/models/classification/classifier.ts';
import { startExampleRun } from '../../engine/models/classification/example-run.ts';
import { stableBaseline, type TrainingControls } from '../../engine/settings/controls.ts';
import type { Budget } from '../../engine/settings/run-settings.ts';

/** The settings of snnTorch's tutorial 5. */
export const tutorialSettings = {
  batch: 128,
  learningRate: 5e-4,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  seed: 0,
};

/** A constant rate for plain Adam: nothing is clipped and nothing decays. */
const plainAdam = {
  ...stableBaseline,
  warmup: 0,
  finalRate: 1,
  gradClipNorm: 1e30,
  weightDecay: 0,
} satisfies TrainingControls;

export interface ClassifierTraining<Structure> {
  readonly backend: Backend;
  readonly classifier: Classifier<Structure>;
  readonly settings: typeof tutorialSettings;
  /** To learn from. */
  readonly images: LabelledImages;
  /** To validate on; the images learned from where it is left out. */
  readonly unseen?: LabelledImages;
  readonly budget?: Budget;
  readonly controls?: Partial<TrainingControls>;
}

/** A classifier of any structure in the loop that the product trains its families with. */
export async function trainClassifier<Structure>({
  backend,
  classifier,
  settings: { batch, learningRate, seed, ...adam },
  images,
  unseen = images,
  budget = { kind: 'steps', steps: 1e6 },
  controls = {},
}: ClassifierTraining<Structure>) {
  const { structure, layout } = classifier;
  const run = await startExampleRun(
    {
      backend,
      settings: { architecture: 'spiking_vision', fields: {}, batch, learningRate, seed, budget },
      controls: { ...plainAdam, ...adam, ...controls },
    },
    {
      classifier,
      spec: {
        architecture: 'spiking_vision',
        model_family: 'VisionSNN',
        core: { linear_layout: 'in_out' },
      },
      data: { name: 'images', sha256: '', examples: images.count },
      learned: unalteredExamples(images),
      validation: unalteredExamples(unseen),
      form: TRAINED_FORM,
      privacyLevel: 'none',
    },
  );
  return {
    ...run,
    accuracy: async () => (await run.validate()).figures?.['accuracy'] ?? Number.NaN,
    model: async () => ({ structure, layout, values: await run.parameters() }),
  };
}

const BRIGHTEST = 255;

export function unalteredExamples({
  count,
  classes,
  pixels,
  images,
  labels,
}: LabelledImages): Examples {
  return {
    count,
    classes,
    frames: 1,
    width: pixels,
    label: (example) => labels[example] ?? 0,
    write(example, { inputs, row }) {
      const [from, to] = [example * pixels, row * pixels];
      for (let i = 0; i < pixels; i++) inputs[to + i] = (images[from + i] ?? 0) / BRIGHTEST;
    },
  };
}
