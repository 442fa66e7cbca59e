import { describeFamily } from '../../settings/description.ts';
import { recipe, SLOW, textRecipes } from '../../settings/recipes.ts';
import { ngramField, preparationFields } from '../../datasets/text-fields.ts';
import { whole } from '../../settings/fields.ts';

/** Fields of a standard_transformer model, with the Small preset as first values. */
export const transformerFields = {
  d_model: whole(128, 1, 8192),
  n_heads: whole(4, 1, 256),
  num_blocks: whole(4, 1, 256),
  seq_len: whole(64, 2, 16_384),
  ngram_order: ngramField,
  ...preparationFields,
};
/** Sizes without time steps. */
const layered = (d_model: number, n_heads: number, num_blocks: number, seq_len: number) => ({
  d_model,
  n_heads,
  num_blocks,
  seq_len,
});

export const transformerDescription = describeFamily({
  architecture: 'standard_transformer',
  rank: 2,
  name: 'EvoNetLM',
  title: { en: 'Float transformer', ja: '浮動小数点トランスフォーマー' },
  category: 'LangText',
  fields: transformerFields,
  dataFields: Object.keys(preparationFields),

  presets: textRecipes({
    tiny: recipe(
      layered(32, 2, 1, 32),
      [8, 5e-3, SLOW],
      '1.915 nats a character of tinyshakespeare after 20,000 steps',
    ),
    small: recipe(
      layered(128, 4, 4, 64),
      [8, 3e-3],
      '1.633 nats a character of tinyshakespeare after 3 minutes',
    ),
    base: recipe(
      layered(256, 8, 6, 128),
      [4, 2e-3],
      '3.183 nats a character of tinyshakespeare after 40 steps',
    ),
    large: recipe(layered(512, 8, 12, 256), [1, 1e-3], 'training loss 4.24 to 3.53 in 8 steps'),
  }),
});
