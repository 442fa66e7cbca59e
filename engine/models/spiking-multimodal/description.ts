import { ngramField } from '../../datasets/text-fields.ts';
import { describeFamily } from '../../settings/description.ts';
import { recipe, textRecipes, trunkSizes } from '../../settings/recipes.ts';
import { choice, type FieldsOf, whole } from '../../settings/fields.ts';

/** Fields of a spiking_multimodal model and its captions; rule 11 of the platform: no others. */
export const multimodalFields = {
  d_model: whole(64, 1, 8192),
  n_heads: whole(4, 1, 256),
  num_blocks: whole(2, 1, 256),
  time_steps: whole(2, 1, 64),
  /** Tokens of a caption, its end included; what is longer is cut. */
  caption_seq_len: whole(32, 2, 4096),
  /** The key of each line of the data set whose text is learned. */
  caption_key: choice('caption', 'en', 'ja'),
  /** Tokens of the longest n-grams that are counted in the captions; 0: none. */
  ngram_order: ngramField,
};
export type MultimodalFields = FieldsOf<typeof multimodalFields>;

export const multimodalDescription = describeFamily({
  architecture: 'spiking_multimodal',
  rank: 4,
  name: 'SpikingEvoMultiModalLM',
  title: { en: 'Spiking captioner', ja: 'スパイキング・キャプション生成モデル' },
  category: 'MultiModal',
  fields: multimodalFields,
  dataFields: ['caption_key', 'caption_seq_len'],
  startsAnew: true,
  presets: textRecipes({
    tiny: recipe(
      { ...trunkSizes(32, 2, 1, 2), caption_seq_len: 32 },
      [16, 1e-2],
      '2.233 nats a token of the emoji captions after 1,000 steps',
    ),
    small: recipe(
      { ...trunkSizes(64, 4, 2, 2), caption_seq_len: 32 },
      [16, 4e-3],
      '1.879 nats a token of the emoji captions after 2,800 steps',
    ),
    base: recipe(
      { ...trunkSizes(128, 4, 4, 4), caption_seq_len: 32 },
      [8, 3e-3],
      '3.097 nats a token of the emoji captions after 30 steps',
    ),
    large: recipe(
      { ...trunkSizes(256, 8, 6, 4), caption_seq_len: 64 },
      [8, 2e-3],
      'training loss 4.30 to 3.21 in 8 steps',
    ),
  }),
});
