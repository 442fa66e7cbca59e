import { describe, expect, it } from 'vitest';
import { audioExamples } from '../../../engine/data/audio/audio-examples.ts';
import { bandCentres, mfccDefaults, type MelOptions } from '../../../engine/data/audio/mel.ts';
import { varySounds } from '../../../engine/data/audio/vary-sounds.ts';
import { batchesOf } from '../../../engine/data/batches.ts';

const { coefficients: _, ...asBands } = mfccDefaults;
const bands: MelOptions = { ...asBands, frames: 5 };
const cepstra: MelOptions = { ...bands, coefficients: 26 };
const words = (draw: number) => Uint32Array.of(draw, 7, 9, 11);

/** One clip whose frames are all alike, or rise from frame to frame. */
const clipOf = (frame: (feature: number, place: number) => number, features: number) => ({
  ...{ count: 1, frames: 5, features },
  values: Float32Array.from({ length: 5 * features }, (__, i) =>
    frame(i % features, Math.floor(i / features)),
  ),
});

describe('varied sounds', () => {
  it('have a peak at another frequency, at most a sixth away, in either direction', () => {
    const centres = bandCentres(bands);
    const peak = 20;
    const vary = varySounds(
      clipOf((band) => Math.exp(-(((band - peak) / 2) ** 2)), 40),
      bands,
    );
    const found = Array.from({ length: 300 }, (__, draw) => {
      const frame = vary(0, words(draw)).slice(0, 40);
      return centres[frame.indexOf(Math.max(...frame))]! / centres[peak]!;
    });

    expect(Math.min(...found)).toBeGreaterThan(1 / 1.25);
    expect(Math.min(...found)).toBeLessThan(0.92);
    expect(Math.max(...found)).toBeLessThan(1.3);
    expect(Math.max(...found)).toBeGreaterThan(1.08);
    expect(found.some((ratio) => ratio === 1)).toBe(true);
  });

  it('of coefficients are those of bands that are read elsewhere', () => {
    // A flat spectrum stays flat: only the first coefficient holds something.
    const flat = clipOf((feature) => (feature === 0 ? 3 : 0), 26);
    const vary = varySounds(flat, cepstra);

    for (const draw of [0, 1, 2, 3]) {
      const varied = vary(0, words(draw));
      for (const [i, value] of varied.entries()) expect(value).toBeCloseTo(flat.values[i]!, 5);
    }
  });

  it('begin and end a tenth earlier or later at most', () => {
    const vary = varySounds(
      clipOf((__, place) => place, 40),
      bands,
    );
    const clips = Array.from({ length: 300 }, (__, draw) => vary(0, words(draw)).slice());
    const [first, last] = [0, 160].map((at) => clips.map((clip) => clip[at]!));

    expect(Math.max(...first!)).toBeGreaterThan(0.2);
    expect(Math.max(...first!)).toBeLessThanOrEqual(0.4);
    expect(Math.min(...first!)).toBe(0);
    expect(Math.min(...last!)).toBeGreaterThanOrEqual(3.6 - 1e-5);
    for (const clip of clips) {
      const places = [0, 40, 80, 120, 160].map((at) => clip[at]!);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
    }
  });

  it('are the same for the same seed, and untouched where they are judged', () => {
    const clip = clipOf((feature, place) => Math.sin(feature * place), 26);
    const front = { mean: Array<number>(26).fill(0), factor: 1, places: 0 };
    const examples = audioExamples(clip, [{ label: 0 }], front, varySounds(clip, cepstra));
    const seen = (epoch: number, isAugmented = true) =>
      [...batchesOf(examples, { batchSize: 1, seed: 3, epoch, isAugmented })][0]!.x;

    expect(seen(1)).toEqual(seen(1));
    expect(seen(1)).not.toEqual(seen(2));
    expect(seen(1, false)).toEqual(clip.values);
  });
});
