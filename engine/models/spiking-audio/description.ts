import { describeFamily } from '../../settings/description.ts';
import { recipe, recipes } from '../../settings/recipes.ts';
import { choice, type FieldsOf, flag, whole } from '../../settings/fields.ts';
import { AUGMENTATIONS } from '../../data/augmentations.ts';
import { storedFields } from '../../settings/stored-fields.ts';

/** Fields of a spiking_audio model (spec/platform, rule 11). */
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
  augmentation: choice(...AUGMENTATIONS),
};
export type AudioFields = FieldsOf<typeof audioFields>;

const frames = (mfcc_features: number, mfcc_seq_len: number, time_steps: number) => ({
  mfcc_features,
  mfcc_seq_len,
  time_steps,
});

export const audioDescription = describeFamily({
  architecture: 'spiking_audio',
  rank: 6,
  name: 'AudioSNN',
  title: { en: 'Spiking audio classifier', ja: 'スパイキング音声分類器' },
  category: 'Audio',
  fields: audioFields,
  dataFields: ['synthetic', 'output_neurons'], // tones are synthesised for as many classes

  presets: recipes({
    tiny: recipe(frames(13, 20, 1), [32, 5e-3], '96.0 % of the spoken digits after 600 steps'),
    small: recipe(
      { ...frames(26, 40, 1), augmentation: 'varied' },
      [32, 5e-3],
      '76.3 % of the spoken digits of two speakers left out, after 300 steps',
    ),
    base: recipe(frames(40, 60, 1), [32, 5e-3], '74.0 % of the spoken digits after 60 steps'),
    large: recipe(frames(64, 80, 2), [32, 5e-3], 'training loss 2.36 to 1.55 in 30 steps'),
  }),
});
