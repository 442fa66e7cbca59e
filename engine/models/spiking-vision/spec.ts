import * as z from 'zod/mini';
import { anySpec, count } from '../../checkpoint/spec-members.ts';
import { PRIVACY_LEVELS } from '../../train/privacy/privacy-levels.ts';
import type { Image } from '../../ops/window.ts';
import type { VisionFields } from './description.ts';
import type { VisionStructure } from './structure.ts';

const neuronMembers = {
  beta: z.number(),
  threshold: z.number(),
  surrogate: z.enum(['atan', 'fast_sigmoid', 'sigmoid', 'triangle']),
} as const;

const core = {
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
  core: z.object({ ...core, blocks: z.array(Block), norm: z.enum(['none', 'layer']) }),
});
export type VisionSpec = z.infer<typeof VisionSpec>;

/** What a spec says besides the network. */
export interface VisionNames {
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
