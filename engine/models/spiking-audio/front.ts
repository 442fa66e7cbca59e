import { type MelOptions, mfccDefaults } from '../../data/mel.ts';
import type { SoundFront } from '../../data/sound-examples.ts';
import type { AudioFields } from './description.ts';

/** Below it a band says more about the microphone than about the sound. */
const LOWEST_HZ = 100;

/** The features that the fields ask for: MFCC of at least 40 bands from 100 Hz on. */
export function melOf({ mfcc_features, mfcc_seq_len }: AudioFields): MelOptions {
  return {
    ...mfccDefaults,
    frames: mfcc_seq_len,
    bands: Math.max(mfccDefaults.bands, mfcc_features),
    lowestHz: LOWEST_HZ,
    coefficients: mfcc_features,
  };
}

/** Numbers that say where in the sound a frame is. */
const PLACES = 12;

/**
 * The first coefficients of speech at the loudness of `hearRecordings` over the root of the bands, and the
 * deviation of all of them: rounded from spoken digits. Constants, so that a model tells nothing of the
 * loudness and colour of the sounds it learned from.
 */
const TYPICAL_MEAN = [-8.5, 1.2, 0.6];
const TYPICAL_DEVIATION = 4;

/** How the neurons hear the features of `melOf`. */
export function frontOf(fields: AudioFields): SoundFront {
  const { bands } = melOf(fields);
  const mean = Array.from(
    { length: fields.mfcc_features },
    (_, i) => (TYPICAL_MEAN[i] ?? 0) * Math.sqrt(bands),
  );
  return { mean, factor: 1 / TYPICAL_DEVIATION, places: PLACES };
}
