import { describe, expect, it } from 'vitest';
import { energyOf } from '../../engine/evaluation/spike-use.ts';
import { spikeUseOf } from '../../engine/models/dense-chronospike/spike-use.ts';
import {
  type ChronospikeStructure,
  defaultNeuron,
  spikingLayers,
} from '../../engine/models/dense-chronospike/structure.ts';

const structure: ChronospikeStructure = {
  ...{ vocabulary: 10, width: 8, heads: 2, blocks: 1, steps: 3, tau: [2, 9] },
  ...defaultNeuron,
};

describe('the use of spikes', () => {
  it('counts each spike times the weights it reaches, layer by layer', () => {
    // in1 feeds 3 x 8 currents, qkv a row of 4 of its head, attention 8, in2 4 x 8, up 8.
    const use = spikeUseOf(structure, Uint32Array.of(1, 10, 100, 1000, 10_000), 50);

    expect(use.total).toBe(11_111);
    expect(use.synapticOps).toBe(1 * 24 + 10 * 4 + 100 * 8 + 1000 * 32 + 10_000 * 8);
  });

  it('gives the rate per neuron and time step: 1 where all fire always', () => {
    const tokens = 7;
    const all = Uint32Array.from(
      spikingLayers(structure),
      ({ neurons }) => neurons * structure.steps * tokens,
    );

    expect(spikeUseOf(structure, all, tokens).rate).toBe(1);
    expect(spikeUseOf(structure, new Uint32Array(5), 0).rate).toBe(0);
  });

  it('compares with the products of a dense network for as many tokens', () => {
    // Weights 12 x 8 x 8, the state of two heads of 4 x 4 three times, the readout 8 x 10.
    const { denseMacs } = spikeUseOf(structure, new Uint32Array(5), 6);

    expect(denseMacs).toBe(6 * (768 + 96 + 80));
  });

  it('charges what is due without any spike: leaks, decays and the readout', () => {
    const { energy } = spikeUseOf(structure, new Uint32Array(5), 1);

    // 80 neurons and 32 numbers of state in each of 3 steps, and 80 products.
    const operations = 3 * (80 + 32) + 80;
    expect(energy.computePj).toBeCloseTo(4.6 * operations);
    expect(energy.withMemoryPj).toBeCloseTo(4.6 * operations + 50 * (2 * 336 + 80));
  });
});

describe('energy', () => {
  it('takes 0.9 pJ an addition and 4.6 pJ a product, and 50 pJ a word of memory', () => {
    const energy = energyOf({ synapticOps: 1000, updates: 0, products: 0, denseMacs: 1000 });

    expect(energy.computePj).toBeCloseTo(900);
    expect(energy.denseComputePj).toBeCloseTo(4600);
    expect(energy.withMemoryPj).toBeCloseTo(900 + 150_000);
    expect(energy.denseWithMemoryPj).toBeCloseTo(4600 + 50_000);
  });

  it.each([
    [4, 0.09],
    [6, 0.06],
  ])('favours spikes over %i steps below a rate of about %d once memory counts', (steps, rate) => {
    const isLess = (share: number) => {
      const synapticOps = 1e6 * steps * share;
      const energy = energyOf({ synapticOps, updates: 0, products: 0, denseMacs: 1e6 });
      return energy.withMemoryPj < energy.denseWithMemoryPj;
    };

    expect(isLess(rate - 0.003)).toBe(true);
    expect(isLess(rate + 0.003)).toBe(false);
  });
});
