import * as z from 'zod/mini';
import { count, textSpec, type TokenizerReference } from '../../checkpoint/spec-members.ts';
import type { TransformerStructure } from './structure.ts';

/** model_spec of standard_transformer. */
export const TransformerSpec = z.object({
  ...textSpec,
  model_family: z.literal('EvoNetLM'),
  architecture: z.literal('standard_transformer'),
  d_model: count,
  n_heads: count,
  num_blocks: count,
  core: z.object({
    /** Places that have a learned vector. */
    seq_len: count,
    /** Weights are stored [inputs, outputs]. */
    linear_layout: z.literal('in_out'),
  }),
});
export type TransformerSpec = z.infer<typeof TransformerSpec>;

export function transformerSpecOf(
  structure: TransformerStructure,
  tokenizer: TokenizerReference,
): TransformerSpec {
  return {
    model_spec_version: 1,
    model_family: 'EvoNetLM',
    architecture: 'standard_transformer',
    d_model: structure.width,
    n_heads: structure.heads,
    num_blocks: structure.blocks,
    vocab_size: structure.vocabulary,
    tokenizer,
    core: { seq_len: structure.sequence, linear_layout: 'in_out' },
  };
}

export function transformerFromSpec(spec: TransformerSpec): TransformerStructure {
  return {
    vocabulary: spec.vocab_size,
    width: spec.d_model,
    heads: spec.n_heads,
    blocks: spec.num_blocks,
    sequence: spec.core.seq_len,
  };
}
