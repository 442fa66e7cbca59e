import * as z from 'zod/mini';
import { count, type TokenizerReference, textSpec } from '../../checkpoint/spec-members.ts';
import { type ChronospikeStructure, NEURON_TYPES } from './structure.ts';

/** model_spec of dense_chronospike. */
export const ChronospikeSpec = z.object({
  ...textSpec,
  model_family: z.literal('SpikingEvoTextLM'),
  architecture: z.literal('dense_chronospike'),
  d_model: count,
  n_heads: count,
  num_blocks: count,
  time_steps: count,
  neuron_type: z.enum(NEURON_TYPES),
  core: z.object({
    beta: z.number(),
    threshold: z.number(),
    surrogate: z.enum(['atan', 'fast_sigmoid', 'sigmoid', 'triangle']),
    tau: z.array(z.number()),
    seq_len: count,
    /** Weights are stored [inputs, outputs]. */
    linear_layout: z.literal('in_out'),
  }),
});
export type ChronospikeSpec = z.infer<typeof ChronospikeSpec>;

/** Describes a model for its files. `sequence` is the length it was trained on. */
export function modelSpecOf(
  structure: ChronospikeStructure,
  sequence: number,
  tokenizer: TokenizerReference,
): ChronospikeSpec {
  const { beta, threshold, surrogate, tau } = structure;
  return {
    model_spec_version: 1,
    model_family: 'SpikingEvoTextLM',
    architecture: 'dense_chronospike',
    d_model: structure.width,
    n_heads: structure.heads,
    num_blocks: structure.blocks,
    time_steps: structure.steps,
    neuron_type: structure.neuron,
    vocab_size: structure.vocabulary,
    tokenizer,
    core: { beta, threshold, surrogate, tau: [...tau], seq_len: sequence, linear_layout: 'in_out' },
  };
}

export function structureFromSpec(spec: ChronospikeSpec): ChronospikeStructure {
  const { beta, threshold, surrogate, tau } = spec.core;
  return {
    vocabulary: spec.vocab_size,
    width: spec.d_model,
    heads: spec.n_heads,
    blocks: spec.num_blocks,
    steps: spec.time_steps,
    tau,
    neuron: spec.neuron_type,
    beta,
    threshold,
    surrogate,
  };
}
