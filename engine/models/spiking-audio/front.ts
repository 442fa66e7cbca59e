import { type MelOptions, mfccDefaults } from '../../data/mel.ts';
import type { AudioFields } from './fields.ts';

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
export const PLACES = 12;
