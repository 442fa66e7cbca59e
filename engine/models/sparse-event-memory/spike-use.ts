import { sumOf } from '../classification/operation-counts.ts';
import { breakEvenRate, energyOf, type SpikeUse } from '../../evaluation/spike-use.ts';
import { sparseLayers } from './reading-programs.ts';
import { type SparseStructure, synapseShape } from './structure.ts';

/**
 * Operation counts of reading `tokens` tokens, from the spikes of each block. Links to the input, router, adapters and
 * vocabulary are fed by numbers and cost products; a spike costs an addition for each recurrent link that
 * reads it. The dense network of the same size has the same links, and a product for each.
 */
export function sparseUseOf(
  structure: SparseStructure,
  counts: Uint32Array | Float64Array,
  tokens: number,
): SpikeUse {
  const layers = sparseLayers(structure);
  const { fanIn } = synapseShape(structure);
  const total = sumOf(counts);
  const neurons = sumOf(layers.map((layer) => layer.neurons));
  const synapticOps = total * fanIn;
  const products = tokens * productsOf(structure);
  const denseMacs = products + tokens * neurons * fanIn;
  return {
    total,
    // One time step a token.
    rate: tokens === 0 ? 0 : total / (neurons * tokens),
    breakEvenRate: breakEvenRate(1),
    synapticOps,
    denseMacs,
    energy: energyOf({ synapticOps, updates: tokens * neurons, products, denseMacs }),
  };
}

/** Products of one token, whatever fires. */
function productsOf(structure: SparseStructure): number {
  const { blocks, experts, topK, adapterRank, rank, vocabulary } = structure;
  const { width, fanIn } = synapseShape(structure);
  const adapter = (1 + topK) * width * experts * adapterRank;
  const block = width * experts + adapter + topK * width * fanIn;
  // From a code to features, back to a code, and its likeness with each of the vocabulary.
  return blocks * block + rank * (2 * width + vocabulary);
}
