import { describe, expect, it } from 'vitest';
import { spikesOfOperations } from '../../engine/models/classification/operation-counts.ts';
import { convOperations } from '../../engine/models/spiking-conv/classifier.ts';
import { fashionStructure } from '../../engine/models/spiking-conv/structure.ts';
import { mlpOperations } from '../../engine/models/spiking-mlp/classifier.ts';

const structure = {
  ...fashionStructure,
  image: { channels: 1, height: 4, width: 4 },
  blocks: [
    { channels: 2, kernel: 3, stride: 1, pool: 1 },
    { channels: 3, kernel: 3, stride: 2, pool: 1 },
  ],
  ...{ hidden: 5, classes: 2, steps: 4 },
  norm: 'none',
} as const;

describe('the work of a spiking convolution', () => {
  it('counts the windows that each neuron lies in, without what the padding hides', () => {
    const { layers, products } = convOperations(structure);

    // Windows of 3 with a padding of 1: 4 places of an axis lie in 2, 3, 3 and 2 of 4 windows.
    expect(products).toBe(10 * 10 * 2);
    // At every second place: in 1, 2, 1 and 1 of 2 windows, each over three channels.
    const [first] = layers;
    expect(first?.fanOut).toHaveLength(2 * 16);
    expect([...first!.fanOut.subarray(0, 8)]).toEqual([3, 6, 3, 3, 6, 12, 6, 6]);
    expect(layers.map(({ name }) => name)).toEqual(['blocks.0', 'blocks.1', 'hidden']);
  });

  it('adds up the weights of a dense network, and what is due whatever fires', () => {
    const { denseMacs, updates } = convOperations(structure);

    // 25 pairs of places and windows for each channel of the second block.
    expect(denseMacs).toBe(10 * 10 * 2 + 2 * 25 * 3 + 3 * 4 * 5 + 5 * 2);
    expect(updates).toBe(4 * (2 * 16 + 3 * 4 + 5));
  });

  it('takes products for spikes that were averaged, in every time step', () => {
    const [first, second] = structure.blocks;
    const pooled = convOperations({ ...structure, blocks: [{ ...first, pool: 2 }, second] });

    expect(pooled.layers[0]?.fanOut[0]).toBe(1);
    // Pictures of 2 x 2 behind the pooling, one window over all of them: 1 and 1 of each axis.
    expect(pooled.products).toBe(10 * 10 * 2 + 4 * (2 * 4 * 3));
  });
});

describe('spikes of a classifier', () => {
  it('cost what they feed, each three words with memory counted', () => {
    const work = mlpOperations({
      ...{ inputs: 3, hidden: 2, classes: 4, steps: 5, beta: 0.9, threshold: 1 },
      surrogate: 'atan',
    });

    const { use, layers } = spikesOfOperations(work, [Uint32Array.of(6, 4)], 2);

    expect(layers).toEqual([{ name: 'hidden', neurons: 2, spikes: 10 }]);
    expect(use).toMatchObject({ total: 10, rate: 0.5, synapticOps: 40, denseMacs: 2 * 14 });
    const [updates, products] = [2 * 5 * 6, 2 * 6];
    expect(use.energy.computePj).toBeCloseTo(0.9 * 40 + 4.6 * (updates + products), 9);
    expect(use.energy.withMemoryPj - use.energy.computePj).toBeCloseTo(
      50 * (3 * 40 + 2 * updates + products),
      9,
    );
  });
});
