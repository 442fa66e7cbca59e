import * as z from 'zod/mini';
import { count, textSpec, type TokenizerReference } from '../../checkpoint/spec-members.ts';
import { ngramBuffers } from '../../ngrams/stored.ts';
import { planMemory } from '../../train/plan-programs.ts';
import { defineFamily } from '../family.ts';
import { sparseDescription } from './description.ts';
import { sparseMemory } from './sizes.ts';
import {
  checkSparseStructure,
  sparseBuffers,
  sparseParameters,
  sparseSettings,
  type SparseStructure,
} from './structure.ts';

/** Members of a model_spec for its sparse backbone, besides width and blocks. */
export const backboneCore = {
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
} as const;

/** model_spec of sparse_event_memory. */
export const SparseSpec = z.object({
  ...textSpec,
  model_family: z.literal('SparseEventMemoryLM'),
  architecture: z.literal('sparse_event_memory'),
  d_model: count,
  num_blocks: count,
  core: z.object({
    ...backboneCore,
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
    core: { ...coreOfBackbone(structure), seq_len: sequence, linear_layout: 'in_out' },
  };
}

export function sparseStructureFrom(spec: SparseSpec): SparseStructure {
  const tables = spec.ngrams && { ngramOrder: spec.ngrams.order };
  return { vocabulary: spec.vocab_size, ...backboneFrom(spec), ...tables };
}

/** A backbone without its vocabulary: of what that consists is its family's to say. */
type Backbone = Omit<SparseStructure, 'vocabulary'>;
type BackboneCore = Omit<SparseSpec['core'], 'seq_len' | 'linear_layout'>;

/** As `backboneCore` describes it. */
export function coreOfBackbone(backbone: Backbone): BackboneCore {
  return {
    density: backbone.density,
    codebook_rank: backbone.rank,
    experts: backbone.experts,
    top_k: backbone.topK,
    adapter_rank: backbone.adapterRank,
    router_memory: backbone.routerMemory,
    leak: backbone.leak,
    theta: backbone.theta,
    fixed_seed: backbone.fixedSeed,
  };
}

export function backboneFrom({
  d_model,
  num_blocks,
  core,
}: {
  readonly d_model: number;
  readonly num_blocks: number;
  readonly core: BackboneCore;
}): Backbone {
  return {
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

export const sparseEventMemory = defineFamily(sparseDescription, {
  spec: SparseSpec,
  parameters(spec) {
    const structure = sparseStructureFrom(spec);
    checkSparseStructure(structure);
    return sparseParameters(structure);
  },
  buffers: (spec) => [...sparseBuffers(sparseStructureFrom(spec)), ...ngramBuffers(spec)],
  // Characters of a text in a European language; how many there are hardly changes the plan.
  assumedShape: { vocabulary: 256 },
  check: (settings) => {
    sparseSettings(settings, 1);
  },
  plan: (settings, _controls, { vocabulary = 256 }) =>
    planMemory(sparseMemory(sparseSettings(settings, vocabulary))),
});
