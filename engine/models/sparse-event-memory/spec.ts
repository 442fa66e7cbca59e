import * as z from 'zod/mini';
import { count, type TokenizerReference, textSpec } from '../../checkpoint/spec-members.ts';
import type { SparseStructure } from './structure.ts';

/** model_spec of sparse_event_memory. */
export const SparseSpec = z.object({
  ...textSpec,
  model_family: z.literal('SparseEventMemoryLM'),
  architecture: z.literal('sparse_event_memory'),
  d_model: count,
  num_blocks: count,
  core: z.object({
    density: z.number(),
    codebook_rank: count,
    experts: count,
    top_k: count,
    adapter_rank: count,
    router_memory: count,
    /** 256ths of the membrane kept per token. */
    leak: z.int().check(z.nonnegative()),
    theta: count,
    fixed_seed: z.int(),
    seq_len: count,
    /** Weights are stored [inputs, outputs]. */
    linear_layout: z.literal('in_out'),
  }),
});
export type SparseSpec = z.infer<typeof SparseSpec>;

/** Describes a model for its files. `sequence` is the length it was trained on. */
export function sparseSpecOf(
  structure: SparseStructure,
  sequence: number,
  tokenizer: TokenizerReference,
): SparseSpec {
  return {
    model_spec_version: 1,
    model_family: 'SparseEventMemoryLM',
    architecture: 'sparse_event_memory',
    d_model: structure.width,
    num_blocks: structure.blocks,
    vocab_size: structure.vocabulary,
    tokenizer,
    core: {
      density: structure.density,
      codebook_rank: structure.rank,
      experts: structure.experts,
      top_k: structure.topK,
      adapter_rank: structure.adapterRank,
      router_memory: structure.routerMemory,
      leak: structure.leak,
      theta: structure.theta,
      fixed_seed: structure.fixedSeed,
      seq_len: sequence,
      linear_layout: 'in_out',
    },
  };
}

export function sparseStructureFrom({
  vocab_size,
  d_model,
  num_blocks,
  core,
}: SparseSpec): SparseStructure {
  return {
    vocabulary: vocab_size,
    width: d_model,
    blocks: num_blocks,
    density: core.density,
    rank: core.codebook_rank,
    experts: core.experts,
    topK: core.top_k,
    adapterRank: core.adapter_rank,
    routerMemory: core.router_memory,
    leak: core.leak,
    theta: core.theta,
    fixedSeed: core.fixed_seed,
  };
}
