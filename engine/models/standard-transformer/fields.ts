import { preparationFields } from '../../datasets/text-fields.ts';
import { type FieldsOf, whole } from '../../families/fields.ts';

/** What a user chooses about a standard_transformer model, with the Small preset as first values. */
export const transformerFields = {
  d_model: whole(128, 1, 8192),
  n_heads: whole(4, 1, 256),
  num_blocks: whole(4, 1, 256),
  seq_len: whole(64, 2, 16_384),
  ...preparationFields,
};
export type TransformerFields = FieldsOf<typeof transformerFields>;
