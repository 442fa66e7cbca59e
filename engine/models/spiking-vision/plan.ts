import type { DataShape, FamilyPlan } from '../../families/family.ts';
import { readFields } from '../../families/fields.ts';
import type { Image } from '../../ops/window.ts';
import { planMemory } from '../../train/plan-programs.ts';
import { checkRun, type RunSettings } from '../../train/run-settings.ts';
import { classifierMemory, type ClassifierSizes } from '../classifier-sizes.ts';
import { convSizes } from '../spiking-conv/sizes.ts';
import { checkStructure as checkConv } from '../spiking-conv/structure.ts';
import { mlpSizes } from '../spiking-mlp/sizes.ts';
import { checkStructure as checkMlp } from '../spiking-mlp/structure.ts';
import { type VisionFields, visionFields } from './fields.ts';
import { type VisionStructure, visionStructure } from './structure.ts';

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
    checkVision(structureFor(settings, ASSUMED_IMAGE));
  },
  plan(settings, _controls, shape) {
    visionPlan.check(settings);
    const structure = structureFor(settings, imageOf(shape));
    checkVision(structure);
    const isPrivate = visionFieldsOf(settings).privacy_level !== 'none';
    return planMemory(classifierMemory(visionSizes(structure), settings.batch, isPrivate));
  },
};

/** Throws EngineError `invalid-structure`. */
function checkVision({ variant, network }: VisionStructure): void {
  if (variant === 'conv') checkConv(network);
  else checkMlp(network);
}

function visionSizes({ variant, network }: VisionStructure): ClassifierSizes {
  return variant === 'conv' ? convSizes(network) : mlpSizes(network);
}
