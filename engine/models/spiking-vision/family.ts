import { defineFamily } from '../family.ts';
import type { Picture } from '../../data/png.ts';
import { EngineError } from '../../errors.ts';
import { classLabels, type Media } from '../classification/prediction.ts';
import { visionDescription } from './description.ts';
import type { DataShape } from '../../checkpoint/run-data.ts';
import type { Image } from '../../ops/window.ts';
import { readFields } from '../../settings/fields.ts';
import { checkRun, type RunSettings } from '../../settings/run-settings.ts';
import { planMemory } from '../../train/plan-programs.ts';
import { privacyBuffers } from '../classification/kept-for-privacy.ts';
import { classifierMemory, type ClassifierSizes } from '../classification/sizes.ts';
import { spikingConvParameters } from '../spiking-conv/parameters.ts';
import { convSizes } from '../spiking-conv/sizes.ts';
import { checkStructure as checkConv } from '../spiking-conv/structure.ts';
import { spikingMlpParameters } from '../spiking-mlp/parameters.ts';
import { mlpSizes } from '../spiking-mlp/sizes.ts';
import { checkStructure as checkMlp } from '../spiking-mlp/structure.ts';
import { type VisionFields, visionFields } from './description.ts';
import { VisionSpec, visionStructureFromSpec } from './spec.ts';
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

/** Throws EngineError `invalid-structure`. */
function checkVision({ variant, network }: VisionStructure): void {
  if (variant === 'conv') checkConv(network);
  else checkMlp(network);
}

function visionSizes({ variant, network }: VisionStructure): ClassifierSizes {
  return variant === 'conv' ? convSizes(network) : mlpSizes(network);
}

function check(settings: RunSettings): void {
  checkRun(settings);
  checkVision(structureFor(settings, ASSUMED_IMAGE));
}

/** Throws EngineError `images-invalid` for a sound, or an image of another size than the model takes. */
export function expectImage({ core: { image } }: VisionSpec, media: Media): Picture {
  if (media.kind !== 'image') {
    throw new EngineError('images-invalid', 'it is a sound: the model takes images');
  }
  const { picture } = media;
  if (picture.width === image.width && picture.height === image.height) return picture;
  throw new EngineError(
    'images-invalid',
    `the image has ${picture.width} x ${picture.height} pixels: the model takes ${image.width} x ${image.height}`,
  );
}

export const spikingVision = defineFamily(visionDescription, {
  spec: VisionSpec,
  parameters(spec) {
    const { variant, network } = visionStructureFromSpec(spec);
    if (variant === 'conv') {
      checkConv(network);
      return spikingConvParameters(network);
    }
    checkMlp(network);
    return spikingMlpParameters(network);
  },
  form: ({ core }) => core,
  trainingBuffers: ({ core }) => privacyBuffers(core.privacy_level),
  classes: {
    kind: 'image',
    labels: ({ core, output_dim: classes }) => classLabels(core.class_names, classes),
    check: (spec, media) => {
      expectImage(spec, media);
    },
  },
  assumedShape: ASSUMED_IMAGE,
  check,
  plan(settings, _controls, shape) {
    check(settings);
    const structure = structureFor(settings, imageOf(shape));
    checkVision(structure);
    const isPrivate = visionFieldsOf(settings).privacy_level !== 'none';
    return planMemory(classifierMemory(visionSizes(structure), settings.batch, isPrivate));
  },
});
