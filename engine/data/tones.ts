import { philox } from '../random/philox.ts';
import type { Recording } from './audio/audio-files.ts';

const SAMPLE_RATE_HZ = 8000;
const SECONDS = 0.4;
const EXAMPLES_A_CLASS = 40;
const LOWEST_HZ = 250;
const HIGHEST_HZ = 3000;
const TONE_STREAM = 0x544f4e45;

/**
 * Made-up recordings: a class is a tone, from 250 to 3000 Hz in equal ratios, at any loudness, a little out
 * of tune and with noise. Every fourth is called `test`. They are always the same.
 */
export function makeTones(classes: number): readonly Recording[] {
  return Array.from({ length: classes * EXAMPLES_A_CLASS }, (_, example) => {
    const label = example % classes;
    const [a = 0, b = 0] = philox([example, 0, 1, TONE_STREAM], [0, 0]);
    const ratio = (label + 0.4 * (a / 2 ** 32 - 0.5)) / Math.max(1, classes - 1);
    const frequency = LOWEST_HZ * (HIGHEST_HZ / LOWEST_HZ) ** ratio;
    const loudness = 0.1 + 0.4 * (b / 2 ** 32);
    const samples = new Float32Array(SAMPLE_RATE_HZ * SECONDS);
    for (let i = 0; i < samples.length; i++) {
      const [word = 0] = philox([i, example, 0, TONE_STREAM], [0, 0]);
      const noise = 0.05 * (word / 2 ** 31 - 1);
      samples[i] = loudness * Math.sin((2 * Math.PI * frequency * i) / SAMPLE_RATE_HZ) + noise;
    }
    const split = Math.floor(example / classes) % 4 === 0 ? 'test' : 'train';
    return { sound: { sampleRateHz: SAMPLE_RATE_HZ, samples }, label, speaker: '', split };
  });
}
