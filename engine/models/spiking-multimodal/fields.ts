import type { Preset } from '../../families/facts.ts';
import { choice, type FieldsOf, whole } from '../../families/fields.ts';
import { trunkFields, type TrunkSizes } from '../dense-chronospike/presets.ts';

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

export type MultimodalPresetName = 'tiny' | 'small' | 'base' | 'large';

/** Tiny is for a first look; small, whose values the fields have at first, is the one that is measured. */
export const multimodalPresets = {
  tiny: preset([32, 2, 1, 2], 32, 16, 1e-2),
  small: preset([64, 4, 2, 2], 32, 16, 4e-3),
  base: preset([128, 4, 4, 4], 32, 32, 1e-3),
  large: preset([256, 8, 6, 4], 64, 32, 5e-4),
} as const satisfies Record<MultimodalPresetName, Preset>;

function preset(sizes: TrunkSizes, sequence: number, batch: number, learningRate: number) {
  return { fields: { ...trunkFields(sizes), caption_seq_len: sequence }, batch, learningRate };
}
