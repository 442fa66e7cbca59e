import * as z from 'zod/mini';
import { count, textSpec, type TokenizerReference } from '../../checkpoint/spec-members.ts';
import { ngramBuffers } from '../../ngrams/stored.ts';
import { readFields } from '../../settings/fields.ts';
import { checkRun, type RunSettings } from '../../settings/run-settings.ts';
import { planMemory } from '../../train/plan-programs.ts';
import { defineFamily } from '../family.ts';
import { transformerDescription, transformerFields } from './description.ts';
import { transformerMemory } from './sizes.ts';
import {
  checkTransformerStructure,
  transformerParameters,
  type TransformerStructure,
} from './structure.ts';

/** The structure that the settings ask for, over an alphabet of `vocabulary` characters. */
export function structureOf(
  { architecture, fields }: RunSettings,
  vocabulary: number,
): TransformerStructure {
  const given = readFields(architecture, transformerFields, fields);
  const { d_model: width, n_heads: heads, num_blocks: blocks, seq_len: sequence } = given;
  const { ngram_order: ngramOrder } = given;
  return { vocabulary, width, heads, blocks, sequence, ...(ngramOrder > 0 && { ngramOrder }) };
}

function check(settings: RunSettings): void {
  checkRun(settings);
  checkTransformerStructure(structureOf(settings, 1));
}

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
    ...(spec.ngrams && { ngramOrder: spec.ngrams.order }),
  };
}

export const standardTransformer = defineFamily(transformerDescription, {
  spec: TransformerSpec,
  parameters(spec) {
    const structure = transformerFromSpec(spec);
    checkTransformerStructure(structure);
    return transformerParameters(structure);
  },
  buffers: ngramBuffers,
  // Characters of a text in a European language; how many there are hardly changes the plan.
  assumedShape: { vocabulary: 256 },
  check,
  plan(settings, _controls, { vocabulary = 256 }) {
    check(settings);
    return planMemory(transformerMemory(structureOf(settings, vocabulary), settings.batch));
  },
});
