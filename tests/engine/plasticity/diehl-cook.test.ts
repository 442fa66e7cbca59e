import { describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/graph/backend.ts';
import type { LabelledImages } from '../../../engine/data/images/labelled-images.ts';
import { accuracyOf, classify, assignLabels } from '../../../engine/models/diehl-cook/naming.ts';
import { type DiehlCookNetwork, openDiehlCook } from '../../../engine/models/diehl-cook/network.ts';
import {
  diehlCook100,
  type DiehlCookStructure,
} from '../../../engine/models/diehl-cook/structure.ts';
import { reference, wasmVariants, webgpuVariants } from '../play.ts';
import { randomSource } from '../random.ts';
import '../matchers.ts';

const CLASSES = 4;
const STRIPE = 5;
const BATCH = 20;

/** For images of four stripes of five pixels, of which one is brighter. */
const striped: DiehlCookStructure = {
  ...diehlCook100,
  inputs: 20,
  neurons: 12,
  steps: 100,
  maxRateHz: 250,
  totalWeight: 6,
  thresholdIncrement: 0.2,
};

/** Dim noise in which one of four stripes is bright: the class. */
function stripes(count: number, seed: number): LabelledImages {
  const pixels = CLASSES * STRIPE;
  const from = randomSource(seed);
  const labels = Uint8Array.from(from.integers(count, CLASSES));
  const images = Uint8Array.from(from.integers(count * pixels, 80), (noise, i) => {
    const isBright = Math.floor((i % pixels) / STRIPE) === labels[Math.floor(i / pixels)];
    return isBright ? 150 + noise : noise;
  });
  return { count, pixels, images, labels, classes: CLASSES };
}

async function answersTo(
  network: DiehlCookNetwork,
  { images, pixels, count }: LabelledImages,
  neurons: number,
): Promise<Float32Array> {
  const counts = new Float32Array(count * neurons);
  for (let start = 0; start < count; start += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - start) }, (_, i) =>
      images.subarray((start + i) * pixels, (start + i + 1) * pixels),
    );
    counts.set(await network.answer(batch), start * neurons);
  }
  return counts;
}

function learnAll(network: DiehlCookNetwork, { images, pixels, count }: LabelledImages): void {
  for (let i = 0; i < count; i++) network.learn(images.subarray(i * pixels, (i + 1) * pixels));
}

/** Accuracy on images that were not learned, from 0 to 1. */
async function accuracyAfter(
  backend: Backend,
  structure: DiehlCookStructure,
  [training, unseen]: readonly [LabelledImages, LabelledImages],
): Promise<number> {
  const network = await openDiehlCook(backend, structure, { seed: 1, batch: BATCH });
  learnAll(network, training);
  const { neurons } = structure;
  const counts = await answersTo(network, training, neurons);
  const { labels, classes } = training;
  const names = assignLabels({ counts, labels, neurons, classes });
  const told = classify(await answersTo(network, unseen, neurons), names, classes);
  network.close();
  return accuracyOf(told, unseen.labels);
}

describe('a layer that learns without labels', () => {
  it('classifies stripes after 300 images', async () => {
    const backend = await wasmVariants['wasm, relaxed, 1 thread']();
    const sets = [stripes(300, 1), stripes(200, 2)] as const;
    const accuracy = await accuracyAfter(backend, striped, sets);
    backend.close();

    console.log(`Diehl & Cook, stripes: ${(100 * accuracy).toFixed(1)} % after 300 images`);
    expect(accuracy).toBeGreaterThan(0.95);
  });

  it.each([
    ['wasm', wasmVariants['wasm, plain, 1 thread'], 1e-6],
    ['webgpu', webgpuVariants['webgpu, register tiles'], 1e-4],
  ])('learns the same weights on %s as in float64', async (_, open, tolerance) => {
    const training = stripes(10, 3);
    const [device, exact] = [await open(), reference];
    const weights = await Promise.all(
      [device, exact].map(async (backend) => {
        const network = await openDiehlCook(backend, striped, { seed: 1, batch: 1 });
        learnAll(network, training);
        const learned = [await network.weights(), await network.thresholds()] as const;
        network.close();
        return learned;
      }),
    );
    device.close();

    const [[actual, thresholds], [expected, exactThresholds]] = [weights[0]!, weights[1]!];
    expect(Math.max(...exactThresholds)).toBeGreaterThan(0.5);
    // In float32 a threshold forgets in steps of 2^-23.
    expect(thresholds).toMatchNumbers(exactThresholds, 1e-4);
    expect(actual).toMatchNumbers(expected, tolerance);
  });

  it.each([
    [{ neurons: 0 }, 'diehlCook: neurons is 0: expected a whole number of at least 1'],
    [{ tauMembrane: Number.NaN }, 'diehlCook: tauMembrane is NaN'],
    [{ maxRateHz: 2000 }, '2000 Hz are more than one spike in each step of 1 ms'],
    [{ reset: 13 }, 'reset is 13, expected a number below the threshold 13'],
  ])('refuses %o', async (wrong, message) => {
    const opened = openDiehlCook(reference, { ...striped, ...wrong }, { seed: 1, batch: 1 });

    await expect(opened).rejects.toThrow(message);
  });
});

describe('naming neurons', () => {
  it('names each after the class that it answers to most, and lets them vote by their mean', () => {
    // Two images of class 0, one of class 1; the third neuron answers to both classes.
    const counts = Float32Array.of(5, 0, 2, 3, 0, 2, 1, 4, 3);
    const answers = { counts, labels: Uint8Array.of(0, 0, 1), neurons: 3, classes: 2 };

    const names = assignLabels(answers);

    expect([...names]).toEqual([0, 1, 1]);
    expect([...classify(counts, names, 2)]).toEqual([0, 0, 1]);
    expect(accuracyOf(Uint8Array.of(0, 1, 1), answers.labels)).toBeCloseTo(2 / 3);
  });
});
