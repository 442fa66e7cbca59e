import { describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { openReferenceBackend } from '../../engine/backends/reference/reference-backend.ts';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import {
  binsOf,
  cosineTransform,
  framesOf,
  melBank,
  melFeatures,
  melOf,
  type MelOptions,
  mfccDefaults,
  windowedDft,
} from '../../engine/data/audio/mel.ts';
import { melFrontEnd, openMelFrontEnd } from '../../engine/functional/mel-front-end.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { noParameters, webgpuVariants } from './play.ts';
import { randomSource } from './random.ts';
import './matchers.ts';

const { coefficients: _, ...logMel } = mfccDefaults;

describe('the parts of mel features', () => {
  it('frames start every hop, are cut at the last and end in silence', () => {
    const options = { ...mfccDefaults, frames: 3, frameSamples: 4, hopSamples: 2 };

    const short = framesOf(Float32Array.of(1, 2, 3, 4, 5), options);
    const long = framesOf(
      Float32Array.from({ length: 20 }, (__, i) => i),
      options,
    );

    expect([...short]).toEqual([1, 2, 3, 4, 3, 4, 5, 0, 5, 0, 0, 0]);
    expect([...long]).toEqual([0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7]);
  });

  it('frames that are spread reach from the first sample to the last', () => {
    const options = { ...mfccDefaults, frames: 3, frameSamples: 4, hopSamples: 'spread' } as const;
    const counted = (length: number) => Float32Array.from({ length }, (__, i) => i + 1);

    expect([...framesOf(counted(10), options)]).toEqual([1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10]);
    expect([...framesOf(counted(2), options)]).toEqual([1, 2, 0, 0, 1, 2, 0, 0, 1, 2, 0, 0]);
    expect([...framesOf(counted(6), { ...options, frames: 1 })]).toEqual([1, 2, 3, 4]);
  });

  it('the transform of four samples is the one worked out by hand', () => {
    // The Hann window is 0, 1/2, 1, 1/2; e^(-i pi / 2 k n) turns by quarters.
    const matrix = windowedDft({ ...mfccDefaults, frameSamples: 4 });

    const byHand = [
      ...[0, 0, 0, 0, 0, 0],
      ...[0.5, 0, 0, -0.5, -0.5, 0],
      ...[1, 0, -1, 0, 1, 0],
      ...[0.5, 0, 0, 0.5, -0.5, 0],
    ];
    expect(matrix).toMatchNumbers(byHand, 1e-15);
  });

  it('the mel scale has 1000 mel at 1000 Hz and none at 0', () => {
    expect(melOf(1000)).toBeCloseTo(1000, 0);
    expect(melOf(0)).toBe(0);
    // 700 (10 - 1) Hz is one power of ten up.
    expect(melOf(6300)).toBeCloseTo(2595, 9);
  });

  it('bands cover each frequency between the first and the last centre once', () => {
    const bank = melBank(mfccDefaults);
    const { bands } = mfccDefaults;
    const step = melOf(4000) / (bands + 1);

    for (let bin = 0; bin < binsOf(mfccDefaults); bin++) {
      const row = bank.subarray(bin * bands, (bin + 1) * bands);
      const mel = melOf((bin * 8000) / 256);
      const isInside = mel >= step && mel <= bands * step;
      const covered = row.reduce((a, b) => a + b, 0);

      expect(Math.abs(covered - 1) < 1e-9).toBe(isInside);
      expect(covered).toBeLessThan(1 + 1e-9);
      expect(row.filter((weight) => weight > 0).length).toBeLessThanOrEqual(2);
    }
  });

  it('the cosine transform is orthonormal: equal bands are their first coefficient alone', () => {
    const matrix = cosineTransform(9, 9);
    for (let i = 0; i < 9; i++) {
      for (let j = 0; j < 9; j++) {
        let dot = 0;
        for (let band = 0; band < 9; band++) dot += matrix[band * 9 + i]! * matrix[band * 9 + j]!;
        expect(dot).toBeCloseTo(i === j ? 1 : 0, 12);
      }
    }
    // 2 sqrt(9) of nine bands of 2.
    const first = Array.from({ length: 9 }, (__, band) => 2 * matrix[band * 9]!);
    expect(first.reduce((a, b) => a + b)).toBeCloseTo(6, 12);
  });
});

describe('mel features', () => {
  it('of a tone are the power that its window leaves in three frequencies', () => {
    // cos at frequency k under a periodic Hann window: |X[k]| = N / 4, its neighbours N / 8, all else 0.
    const [n, k, rate] = [64, 10, 6400];
    const options: MelOptions = {
      ...{ sampleRateHz: rate, frameSamples: n, hopSamples: n, frames: 1 },
      ...{ bands: 4, lowestHz: 0, highestHz: rate / 2 },
    };
    const samples = Float32Array.from({ length: n }, (__, i) =>
      Math.cos((2 * Math.PI * k * i) / n),
    );
    const bank = melBank(options);

    const features = melFeatures(samples, options);

    const byHand = Float64Array.from({ length: 4 }, (__, band) => {
      const weight = (bin: number) => bank[bin * 4 + band]!;
      const power = (n / 16) * weight(k) + (n / 64) * (weight(k - 1) + weight(k + 1));
      return Math.log(Math.max(power, 1e-10));
    });
    expect(features).toMatchNumbers(byHand, 1e-6);
  });

  it('of silence are the logarithm of the floor, all of it in the first coefficient', () => {
    const { bands, frames } = mfccDefaults;

    const heard = melFeatures(new Float32Array(100), logMel);
    const cepstrum = melFeatures(new Float32Array(100), mfccDefaults);

    expect(heard).toMatchNumbers(Array(bands * frames).fill(Math.log(1e-10)), 1e-12);
    expect(cepstrum[0]).toBeCloseTo(Math.log(1e-10) * Math.sqrt(bands), 9);
    expect(Math.max(...cepstrum.subarray(1, 26))).toBeCloseTo(0, 9);
  });

  const backends: Record<string, () => Backend | Promise<Backend>> = {
    reference: openReferenceBackend,
    wasm: () => openWasmBackend({ threads: 1 }),
    webgpu: webgpuVariants['webgpu, register tiles'],
  };
  it.each(Object.entries(backends))('on a device are those in float64: %s', async (name, open) => {
    const from = randomSource(5);
    const noise = from.floats(4000);
    // Noise that fades, so that loud and quiet frames are compared.
    const sound = noise.map((x, i) => x * Math.exp(-i / 1000));
    const backend = await open();
    const listener = await openMelFrontEnd(backend, mfccDefaults);
    const bands = await openMelFrontEnd(backend, logMel);
    // The reference rounds the constant matrices to float32 and nothing else.
    const tolerance = name === 'reference' ? 1e-5 : 1e-4;

    expect(await listener.extract(sound)).toMatchNumbers(
      melFeatures(sound, mfccDefaults),
      tolerance,
    );
    expect(await bands.extract(sound)).toMatchNumbers(melFeatures(sound, logMel), tolerance);
    await expect(listener.extract(Float32Array.of(0, Number.NaN))).rejects.toThrow(
      'value 1 is NaN',
    );

    listener.close();
    bands.close();
    backend.close();
  });

  it.each<[Partial<MelOptions>, string]>([
    [{ frames: 0 }, 'frames is 0'],
    [{ hopSamples: 0 }, 'hopSamples is 0'],
    [{ frameSamples: 1.5 }, 'frameSamples is 1.5'],
    [{ highestHz: 4001 }, 'at most half the sample rate, 4000'],
    [{ lowestHz: -1 }, 'bands from -1 to 4000 Hz'],
    [{ coefficients: 41 }, 'coefficients is 41: expected at most the 40 bands'],
    [{ frameSamples: 64 }, 'holds no frequency of a transform of 64 samples'],
  ])('are refused with %j', (changed, message) => {
    expect(() => melFeatures(new Float32Array(1), { ...mfccDefaults, ...changed })).toThrow(
      message,
    );
  });

  it('refuse frames of another length', () => {
    const graph = new Graph('frames', noParameters);
    const framed = graph.local('frames', 'f32', [40, 1, 255]);

    expect(() => melFrontEnd(graph, framed, mfccDefaults)).toThrow(
      'expected frames of 256 samples',
    );
  });
});
