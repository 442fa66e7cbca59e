import type { Backend } from '../graph/backend.ts';
import type { LabelledAudio } from '../data/audio/audio-files.ts';
import type { AudioFeatures } from '../data/audio/audio-examples.ts';
import { featuresOf, type MelOptions } from '../data/audio/mel.ts';
import { resample } from '../data/audio/resample.ts';
import type { AudioClip } from '../data/audio/wav.ts';
import { openMelFrontEnd } from './mel-front-end.ts';

/** Root mean square that every clip is scaled to. */
const LOUDNESS = 0.1;

/** The features of clips, resampled to the rate of the front end and scaled to one loudness. */
export async function extractAudioFeatures(
  backend: Backend,
  clips: readonly LabelledAudio[],
  mel: MelOptions,
): Promise<AudioFeatures> {
  const { frames } = mel;
  const features = featuresOf(mel);
  const values = new Float32Array(clips.length * frames * features);
  const frontEnd = await openMelFrontEnd(backend, mel);
  try {
    for (const [i, { audio }] of clips.entries()) {
      values.set(await frontEnd.extract(normaliseLoudness(audio, mel)), i * frames * features);
    }
  } finally {
    frontEnd.close();
  }
  return { count: clips.length, values, frames, features };
}

/** A clip at the sample rate of the front end and at the same loudness as all others; silence stays silent. */
export function normaliseLoudness(
  { samples, sampleRateHz }: AudioClip,
  mel: Pick<MelOptions, 'sampleRateHz'>,
): Float32Array {
  const resampled = resample(samples, sampleRateHz, mel.sampleRateHz);
  const power = resampled.reduce((sum, sample) => sum + sample ** 2, 0) / resampled.length;
  const factor = power > 0 ? LOUDNESS / Math.sqrt(power) : 1;
  return resampled.map((sample) => sample * factor);
}
