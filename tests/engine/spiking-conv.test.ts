import { describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { traceTraining } from '../../engine/models/classification/classifier.ts';
import { spikingConv } from '../../engine/models/spiking-conv/classifier.ts';
import {
  fashionStructure,
  type SpikingConvStructure,
} from '../../engine/models/spiking-conv/structure.ts';
import { packClock, packRates } from '../../engine/ops/step-inputs.ts';
import { trainClassifier, tutorialSettings } from './classifier-training.ts';
import { stripedImages } from './image-sets.ts';
import { extent } from './extent.ts';
import './matchers.ts';
import { reference, variants, wasmVariants } from './play.ts';
import { randomSource } from './random.ts';
import { smoothSpikingConv } from './smooth-spiking-conv.ts';
import { worstDifference } from './smooth-spikes.ts';

/** Two colours, sides that no power of two divides, pooling and a stride. */
const small: SpikingConvStructure = {
  image: { channels: 2, height: 6, width: 7 },
  blocks: [
    { channels: 3, kernel: 3, stride: 1, pool: 2 },
    { channels: 2, kernel: 2, stride: 1, pool: 1 },
    { channels: 4, kernel: 4, stride: 2, pool: 1 },
  ],
  hidden: 6,
  classes: 3,
  steps: 4,
  norm: 'none',
  neuron: { beta: 0.7, threshold: 0.4, surrogate: 'atan' },
};
const ROWS = 2;
/** Numbers of a parameter whose differences are looked at. */
const SAMPLE = extent(Infinity, 24);

describe('a spiking convolutional classifier', () => {
  it.each([
    ['without a norm, reset by subtraction', small],
    ['with layer norm', { ...small, norm: 'layer' }],
    ['without leak', { ...small, neuron: { ...small.neuron, beta: 1, threshold: 1 } }],
  ] as const)(
    '%s, has the gradient of its loss with surrogate spikes and detached resets',
    async (_name, structure: SpikingConvStructure) => {
      const classifier = spikingConv(structure);
      const from = randomSource(4);
      const inputs = from.floats(ROWS * classifier.inputs, 0, 1);
      const labels = from.integers(ROWS, structure.classes);
      const train = traceTraining(classifier, ROWS, { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 });
      const player = await reference.load(classifier.layout, [train.program]);
      const values = Object.fromEntries(
        classifier.layout.parameters.map(({ spec, value }, i) => {
          const live = player.values(value);
          live.set(randomSource(i + 1).floats(live.length, -0.6, 0.65));
          return [spec.name, live.slice()];
        }),
      );
      player.write(train.inputs, inputs);
      player.write(train.targets, labels);
      player.write(train.clock, packClock({ step: 0, slot: 0, seed: [0, 0] }));
      const rates = { learningRate: 0, weightDecay: 0, clipNorm: 1e30 };
      player.write(train.rates, packRates({ ...rates, corrections: [0.1, 0.001] }));
      player.play(train.program);

      const smooth = smoothSpikingConv(structure, values, inputs, labels);
      expect(smooth.loss()).toBeCloseTo(player.values(train.losses)[0]!, 12);
      for (const share of smooth.firing) {
        expect(share).toBeGreaterThan(0.01);
        expect(share).toBeLessThan(0.99);
      }
      for (const { spec, gradient } of classifier.layout.parameters) {
        const traced = player.values(gradient);
        expect(Math.max(...traced.map(Math.abs)), spec.name).toBeGreaterThan(1e-4);
        const worst = worstDifference(values[spec.name]!, traced, smooth.loss, SAMPLE);
        expect(worst, spec.name).toBeLessThan(1e-7);
      }
    },
  );

  it('generalises to images it has not seen', async () => {
    const structure: SpikingConvStructure = {
      ...small,
      image: { channels: 1, height: 4, width: 5 },
      blocks: [{ channels: 8, kernel: 3, stride: 2, pool: 1 }],
      hidden: 33,
      classes: 4,
      norm: 'layer',
      neuron: { beta: 0.5, threshold: 1, surrogate: 'atan' },
    };
    const backend = await wasmVariants['wasm, relaxed, 2 threads']();
    const settings = { ...tutorialSettings, batch: 32, learningRate: 5e-3 };
    const [images, unseen] = [stripedImages(400, 4, 1), stripedImages(150, 4, 2)];
    const classifier = spikingConv(structure);
    const run = await trainClassifier({ backend, classifier, settings, images, unseen });
    expect(await run.accuracy()).toBeLessThan(0.6);

    const { losses } = await run.advance(8 * run.stepsPerEpoch);

    expect(losses[0]).toBeGreaterThan(1);
    expect(losses.at(-1)).toBeLessThan(0.5);
    expect(await run.accuracy()).toBeGreaterThan(0.9);
    run.close();
    backend.close();
  });

  it.each(['webgpu, register tiles', 'wasm, relaxed, 2 threads', 'wasm, plain, 1 thread'] as const)(
    'trains on %s as on the reference',
    async (name) => {
      const classifier = spikingConv({ ...small, norm: 'layer' });
      // Adam turns the smallest gradients into whole steps where epsilon is smaller than their rounding.
      const settings = { ...tutorialSettings, batch: 5, learningRate: 1e-2, epsilon: 1e-3 };
      const images = stripedImages(10, 3, 3);
      const trained = async (backend: Backend) => {
        const set = { ...images, pixels: classifier.inputs, images: noise };
        const run = await trainClassifier({ backend, classifier, settings, images: set });
        const { losses } = await run.advance(2);
        const { values } = await run.model();
        run.close();
        return { losses, values };
      };
      const noise = Uint8Array.from(randomSource(8).integers(10 * classifier.inputs, 256));
      const backend = await variants[name]();

      const [expected, got] = [await trained(reference), await trained(backend)];

      expect(got.losses).toMatchNumbers(expected.losses, 1e-5);
      expect(got.values).toMatchNumbers(expected.values, 1e-3);
      backend.close();
    },
  );

  it('cannot pool what is smaller than the window', () => {
    const blocks = [{ ...fashionStructure.blocks[0]!, pool: 15 }];

    expect(() => spikingConv({ ...fashionStructure, blocks })).toThrow(
      'pool2d: a kernel that reaches over 15 does not fit into 14 with 0 of padding',
    );
  });

  const block = fashionStructure.blocks[0]!;
  it.each([
    [{ blocks: [] }, 'there are no blocks: expected at least one'],
    [
      { blocks: [block, { ...block, channels: 0 }] },
      'blocks.1.channels is 0: expected a whole number from 1 to 4096',
    ],
    [
      { blocks: [{ ...block, kernel: 1.5 }] },
      'blocks.0.kernel is 1.5: expected a whole number from 1 to 256',
    ],
    [
      { blocks: [{ ...block, stride: 0 }] },
      'blocks.0.stride is 0: expected a whole number from 1 to 256',
    ],
    [
      { blocks: [{ ...block, pool: 257 }] },
      'blocks.0.pool is 257: expected a whole number from 1 to 256',
    ],
    [{ hidden: 0 }, 'hidden is 0: expected a whole number from 1 to 65536'],
    [{ steps: 4096 }, 'time_steps is 4096: expected a whole number from 1 to 1024'],
    [
      { image: { channels: 1, height: 28.5, width: 28 } },
      'image.height is 28.5: expected a whole number from 1 to 65536',
    ],
    [
      { neuron: { ...fashionStructure.neuron, beta: 1.1 } },
      'beta is 1.1: expected a number from 0 to 1',
    ],
    [
      { neuron: { ...fashionStructure.neuron, threshold: 0 } },
      'threshold is 0: expected a positive number',
    ],
  ])('cannot be built with %j', (change, message) => {
    expect(() => spikingConv({ ...fashionStructure, ...change })).toThrow(
      expect.objectContaining({ code: 'invalid-structure', message: `spiking_conv: ${message}` }),
    );
  });
});
