import { type MelOptions, mfccDefaults } from '../../data/mel.ts';
import type { SoundFront } from '../../data/sound-examples.ts';
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

/** Frames on each side that are heard along with a frame, and numbers that say where in the sound it is. */
export const surroundings = { context: 1, places: 8 } as const;

/** How much slower or faster than recorded sounds are learned, too. */
export const STRETCHES: readonly number[] = [1, 0.9, 1.1];

/** Numbers that the neurons hear of a frame. */
export function inputsOf(
  coefficients: number,
  { context, places }: Pick<SoundFront, 'context' | 'places'>,
): number {
  return (2 * context + 1) * coefficients + places;
}
