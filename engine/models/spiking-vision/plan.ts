import type { DataShape, FamilyPlan } from '../../families/family.ts';
import { readFields } from '../../families/fields.ts';
import type { Image } from '../../ops/window.ts';
import { planExamples } from '../../train/plan-examples.ts';
import { checkRun, type RunSettings } from '../../train/run-settings.ts';
import { type VisionFields, visionFields } from './fields.ts';
import { visionClassifier, type VisionStructure, visionStructure } from './structure.ts';

/** The digits of MNIST, in whose format most pictures come. */
const ASSUMED_IMAGE = { channels: 1, height: 28, width: 28 };

/** The fields of a run's settings. Throws EngineError `invalid-setting`. */
export function visionFieldsOf({ architecture, fields }: RunSettings): VisionFields {
  return readFields(architecture, visionFields, fields);
}

/** The structure that settings ask for, for pictures of one size. */
export function structureFor(settings: RunSettings, image: Image): VisionStructure {
  const {
    model_variant: variant,
    output_dim: classes,
    time_steps: steps,
  } = visionFieldsOf(settings);
  return visionStructure({ variant, image, classes, steps });
}

function imageOf({ channels = 1, height = 28, width = 28 }: DataShape): Image {
  return { channels, height, width };
}

export const visionPlan: FamilyPlan = {
  assumedShape: ASSUMED_IMAGE,
  check(settings) {
    checkRun(settings);
    visionClassifier(structureFor(settings, ASSUMED_IMAGE));
  },
  plan(settings, controls, shape) {
    visionPlan.check(settings);
    const classifier = visionClassifier(structureFor(settings, imageOf(shape)));
    return planExamples(classifier, settings, controls);
  },
};
