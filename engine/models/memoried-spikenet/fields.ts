import { choice, type FieldsOf, number, whole } from '../../families/fields.ts';
import { backboneFields } from '../sparse-event-memory/fields.ts';

/** What a user chooses about a memoried_spikenetlm model and its streams, with the Small preset as first values. */
export const memoriedFields = {
  d_model: whole(256, 1, 8192),
  num_blocks: whole(2, 1, 256),
  /** Tokens of a caption, its end included; what is longer is cut. */
  caption_seq_len: whole(24, 2, 4096),
  /** The key of each line of the data set whose text is learned. */
  caption_key: choice('caption', 'en', 'ja'),
  /** Pixels along the side of a patch, each of which becomes one image code. */
  image_patch: whole(4, 1, 32),
  image_codes: whole(256, 2, 4096),
  audio_codes: whole(256, 2, 4096),
  ...backboneFields,
  density: number(0.02, 1e-6, 1),
};
export type MemoriedFields = FieldsOf<typeof memoriedFields>;
