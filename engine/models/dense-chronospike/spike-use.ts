import { breakEvenRate, energyOf, type SpikeUse } from '../../evaluation/spike-use.ts';
import { type ChronospikeStructure, spikingLayers } from './structure.ts';

/** The use of a sequence of `tokens` tokens from the spikes of each layer, as `spikingLayers` orders them. */
export function spikeUseOf(
  structure: ChronospikeStructure,
  counts: Uint32Array | Float64Array,
  tokens: number,
): SpikeUse {
  const layers = spikingLayers(structure);
  const { steps } = structure;
  const neurons = sum(layers.map((layer) => layer.neurons));
  const total = sum(counts);
  const synapticOps = sum(layers.map(({ fanOut }, index) => fanOut * (counts[index] ?? 0)));
  const { weights, state, readout } = sizesOf(structure);
  // A dense network writes, keeps and reads the state of its attention once a token.
  const denseMacs = tokens * (weights + 3 * state + readout);
  const updates = tokens * steps * (neurons + state);
  return {
    total,
    rate: tokens === 0 ? 0 : total / (neurons * steps * tokens),
    breakEvenRate: breakEvenRate(steps),
    synapticOps,
    denseMacs,
    energy: energyOf({ synapticOps, updates, products: tokens * readout, denseMacs }),
  };
}

/** Numbers of a model: weights that spikes feed, state of one time step, weights of the readout. */
function sizesOf({ width, heads, blocks, vocabulary }: ChronospikeStructure) {
  return {
    weights: blocks * 12 * width ** 2,
    state: blocks * heads * (width / heads) ** 2,
    readout: width * vocabulary,
  };
}

function sum(numbers: Iterable<number>): number {
  return Array.from(numbers).reduce((a, b) => a + b, 0);
}
