import { choice, type FieldsOf, flag, whole } from '../../families/fields.ts';
import { storedFields } from '../../families/stored-fields.ts';

/** What a user chooses about a spiking_audio model (spec/platform, rule 11). */
export const audioFields = {
  audio_category: choice('classification'),
  /** Coefficients of a frame. */
  mfcc_features: whole(26, 1, 128),
  /** Frames of a sound, spread over it however long it is. */
  mfcc_seq_len: whole(40, 2, 1000),
  output_neurons: whole(10, 2, 256),
  /** Of the neurons within each frame. */
  time_steps: whole(1, 1, 64),
  ...storedFields,
  /** Learn from made-up tones, whatever the data set holds. */
  synthetic: flag(false),
};
export type AudioFields = FieldsOf<typeof audioFields>;
