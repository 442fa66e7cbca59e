import { choice, type FieldsOf, whole } from '../../families/fields.ts';

/** What a user chooses about a spiking_multimodal model and its captions; rule 11 of the platform: no others. */
export const multimodalFields = {
  d_model: whole(64, 1, 8192),
  n_heads: whole(4, 1, 256),
  num_blocks: whole(2, 1, 256),
  time_steps: whole(2, 1, 64),
  /** Tokens of a caption, its end included; what is longer is cut. */
  caption_seq_len: whole(32, 2, 4096),
  /** The key of each line of the data set whose text is learned. */
  caption_key: choice('caption', 'en', 'ja'),
};
export type MultimodalFields = FieldsOf<typeof multimodalFields>;
