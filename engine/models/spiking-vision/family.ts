import * as z from 'zod/mini';
import type { DataShape } from '../../checkpoint/run-data.ts';
import { anySpec, count } from '../../checkpoint/spec-members.ts';
import type { DecodedImage } from '../../data/images/png.ts';
import { EngineError } from '../../errors.ts';
import type { Image } from '../../ops/window.ts';
import { readFields } from '../../settings/fields.ts';
import { checkRun, type RunSettings } from '../../settings/run-settings.ts';
import { planMemory } from '../../train/plan-programs.ts';
import { PRIVACY_LEVELS } from '../../settings/stored-fields.ts';
import { privacyBuffers } from '../classification/kept-for-privacy.ts';
import { classLabels, type Media } from '../classification/prediction.ts';
import { classifierMemory, type ClassifierSizes } from '../classification/sizes.ts';
import { defineFamily } from '../family.ts';
import { convSizes } from '../spiking-conv/sizes.ts';
import {
  checkStructure as checkConv,
  fashionStructure,
  spikingConvParameters,
  type SpikingConvStructure,
} from '../spiking-conv/structure.ts';
import {
  checkStructure as checkMlp,
  mlpSizes,
  spikingMlpParameters,
  type SpikingMlpStructure,
} from '../spiking-mlp/structure.ts';
import { visionDescription, type VisionFields, visionFields } from './description.ts';

/** The digits of MNIST, in whose format most images come. */
const ASSUMED_IMAGE = { channels: 1, height: 28, width: 28 };

/** The fields of a run's settings. Throws EngineError `invalid-setting`. */
export function visionFieldsOf({ architecture, fields }: RunSettings): VisionFields {
  return readFields(architecture, visionFields, fields);
}

/** The structure that settings ask for, for images of one size. */
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
export function expectImage({ core: { image } }: VisionSpec, media: Media): DecodedImage {
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

const neuronMembers = {
  beta: z.number(),
  threshold: z.number(),
  surrogate: z.enum(['atan', 'fast_sigmoid', 'sigmoid', 'triangle']),
} as const;

const coreMembers = {
  image: z.object({ channels: count, height: count, width: count }),
  hidden: count,
  class_names: z.array(z.string()),
  precision: z.enum(['f32', 'f16']),
  quantization: z.enum(['none', 'int8']),
  privacy_level: z.enum(PRIVACY_LEVELS),
  ...neuronMembers,
  /** Weights of linear layers are stored [inputs, outputs]. */
  linear_layout: z.literal('in_out'),
} as const;

const Block = z.object({ channels: count, kernel: count, stride: count, pool: count });

/** model_spec of spiking_vision. */
export const VisionSpec = z.object({
  ...anySpec,
  model_family: z.literal('VisionSNN'),
  architecture: z.literal('spiking_vision'),
  model_category: z.literal('classification'),
  output_dim: count,
  time_steps: count,
  model_variant: z.enum(['conv', 'mlp']),
  /** An MLP has no blocks. */
  core: z.object({ ...coreMembers, blocks: z.array(Block), norm: z.enum(['none', 'layer']) }),
});
export type VisionSpec = z.infer<typeof VisionSpec>;

/** Members of a spec besides the network. */
interface VisionNames {
  readonly image: Image;
  readonly classNames: readonly string[];
  readonly fields: VisionFields;
}

export function visionSpecOf(
  { variant, network }: VisionStructure,
  { image, classNames, fields }: VisionNames,
): VisionSpec {
  const { beta, threshold, surrogate } = variant === 'conv' ? network.neuron : network;
  const { precision, quantization, privacy_level, model_category } = fields;
  return {
    model_spec_version: 1,
    model_family: 'VisionSNN',
    architecture: 'spiking_vision',
    model_category,
    model_variant: variant,
    output_dim: network.classes,
    time_steps: network.steps,
    core: {
      image: { ...image },
      blocks: variant === 'conv' ? network.blocks.map((block) => ({ ...block })) : [],
      norm: variant === 'conv' ? network.norm : 'none',
      hidden: network.hidden,
      class_names: [...classNames],
      precision,
      quantization,
      privacy_level,
      beta,
      threshold,
      surrogate,
      linear_layout: 'in_out',
    },
  };
}

export function visionStructureFromSpec(spec: VisionSpec): VisionStructure {
  const { model_variant: variant, output_dim: classes, time_steps: steps } = spec;
  const { image, blocks, norm, hidden, beta, threshold, surrogate } = spec.core;
  const neuron = { beta, threshold, surrogate };
  if (variant === 'conv') {
    return { variant, network: { image, blocks, norm, hidden, classes, steps, neuron } };
  }
  const inputs = image.channels * image.height * image.width;
  return { variant, network: { inputs, hidden, classes, steps, ...neuron } };
}

/** A spiking classifier of images: one of two kinds of network. */
export type VisionStructure =
  | { readonly variant: 'conv'; readonly network: SpikingConvStructure }
  | { readonly variant: 'mlp'; readonly network: SpikingMlpStructure };

/** Parts of a structure. */
interface VisionShape {
  /** `conv_plain` has no layer norm. */
  readonly variant: VisionStructure['variant'] | 'conv_plain';
  readonly image: Image;
  readonly classes: number;
  readonly steps: number;
}

/** Neurons of the MLP's hidden layer. */
const MLP_NEURONS = 512;

function visionStructure({ variant, image, classes, steps }: VisionShape): VisionStructure {
  if (variant !== 'mlp') {
    const norm = variant === 'conv' ? 'layer' : 'none';
    return { variant: 'conv', network: { ...fashionStructure, norm, image, classes, steps } };
  }
  const { channels, height, width } = image;
  const inputs = channels * height * width;
  const neuron = { beta: 0.95, threshold: 1, surrogate: 'atan' } as const;
  return { variant, network: { inputs, hidden: MLP_NEURONS, classes, steps, ...neuron } };
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
