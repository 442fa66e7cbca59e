import { describeFamily } from '../../settings/description.ts';
import { backboneSizes, recipe, recipes } from '../../settings/recipes.ts';
import { choice, type FieldsOf, number, whole } from '../../settings/fields.ts';
import { backboneFields } from '../sparse-event-memory/description.ts';

/** Fields of a memoried_spikenetlm model and its streams, with the Small preset as first values. */
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

const patched = (caption_seq_len: number, image_patch: number, image_codes: number) => ({
  caption_seq_len,
  image_patch,
  image_codes,
});

export const memoriedDescription = describeFamily({
  architecture: 'memoried_spikenetlm',
  rank: 7,
  name: 'MemoriedSpikeNetLM',
  title: { en: 'Sparse stream memory', ja: 'スパース・ストリームメモリ' },
  category: 'MultiModal',
  fields: memoriedFields,
  dataFields: ['caption_key', 'image_patch', 'image_codes', 'audio_codes'],
  startsAnew: true,
  presets: recipes(
    {
      tiny: recipe(
        { ...backboneSizes(64, 2), ...patched(16, 8, 64) },
        [8, 1e-2],
        '2.501 nats a token of the emoji streams after 2,000 steps',
      ),
      small: recipe(
        { ...backboneSizes(256, 2), ...patched(24, 4, 256) },
        [16, 1e-2],
        '2.940 nats a token of the emoji streams after 1,000 steps',
      ),
      base: recipe(
        { ...backboneSizes(512, 4), ...patched(32, 4, 512) },
        [8, 5e-3],
        '4.721 nats a token of the emoji streams after 40 steps',
      ),
      large: recipe(
        { ...backboneSizes(1024, 6), ...patched(64, 2, 1024) },
        [8, 5e-3],
        'training loss 6.94 to 4.69 in 12 steps',
      ),
    },
    recipe(
      { ...backboneSizes(64, 2), ...patched(16, 8, 64) },
      [8, 1e-2],
      '2.501 nats a token of the emoji streams after 2,000 steps',
    ),
  ),
});
