import { describeFamily } from '../../settings/description.ts';
import { backboneSizes, recipe, textRecipes } from '../../settings/recipes.ts';
import { ngramField, textFields } from '../../datasets/text-fields.ts';
import { number, whole } from '../../settings/fields.ts';

/** Fields of a sparse backbone besides its width and blocks. */
export const backboneFields = {
  /** Fraction of the neurons that a neuron reads. */
  density: number(0.005, 1e-6, 1),
  codebook_rank: whole(128, 1, 4096),
  experts: whole(2, 1, 64),
  top_k: whole(1, 1, 64),
  adapter_rank: whole(16, 1, 4096),
  /** Learning rate of the synapses, eta_h. */
  hebbian_rate: number(0.001, 0, 1),
  /** Tokens that stand for the vocabulary in training, where it has more and there are no tables. */
  negatives: whole(1024, 1, 65_536),
  /** Fraction of the spikes that are dropped in training. */
  dropout: number(0, 0, 0.9),
  /** Weight of the load-balance term. */
  load_balance: number(0.01, 0, 10),
  /** Seed of codes, links and first weights: what no gradient reaches. */
  fixed_seed: whole(1, 0, 0xffff_ffff),
};

/** Fields of a sparse_event_memory model, with the Small preset as first values. */
export const sparseFields = {
  d_model: whole(512, 1, 8192),
  num_blocks: whole(4, 1, 256),
  seq_len: whole(64, 2, 65_536),
  ...backboneFields,
  ngram_order: ngramField,
  ...textFields,
};
export const sparseDescription = describeFamily({
  architecture: 'sparse_event_memory',
  rank: 3,
  name: 'SparseEventMemoryLM',
  title: { en: 'Sparse event memory', ja: 'スパース・イベントメモリ' },
  category: 'LangText',
  fields: sparseFields,
  dataFields: Object.keys(textFields),
  takesTokenizer: true,
  presets: textRecipes({
    tiny: recipe(
      { ...backboneSizes(64, 2), seq_len: 32 },
      [8, 1e-2],
      '2.293 nats a character of tinyshakespeare after 15,000 steps',
    ),
    small: recipe(
      { ...backboneSizes(512, 4), seq_len: 64 },
      [16, 1e-2],
      '1.993 nats a character of tinyshakespeare after 2,000 steps',
    ),
    base: recipe(
      { ...backboneSizes(1024, 6), seq_len: 128 },
      [8, 5e-3],
      '2.861 nats a character of tinyshakespeare after 40 steps',
    ),
    large: recipe(
      { ...backboneSizes(2048, 12), seq_len: 256 },
      [4, 5e-3],
      'training loss 4.18 to 3.48 in 12 steps',
    ),
  }),
});
