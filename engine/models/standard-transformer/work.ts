import { energyOf, type SpikeUse } from '../../evaluation/spike-use.ts';
import type { TransformerStructure } from './structure.ts';

/** What reading `tokens` tokens of a text takes. */
export function transformerUse(structure: TransformerStructure, tokens: number): SpikeUse {
  return floatUse(macsOfText(structure, tokens));
}

/** What products with numbers take, as no neuron fires. */
export function floatUse(denseMacs: number): SpikeUse {
  const none = { synapticOps: 0, updates: 0 };
  return {
    total: 0,
    rate: 0,
    breakEvenRate: null,
    synapticOps: 0,
    denseMacs,
    energy: energyOf({ ...none, products: denseMacs, denseMacs }),
  };
}

/** Products with their sums of a text, windows that are read again (see `CachedReader`) included. */
export function macsOfText(
  { width, blocks, vocabulary, sequence }: TransformerStructure,
  tokens: number,
): number {
  const weights = blocks * 12 * width ** 2 + width * vocabulary;
  const half = Math.floor(sequence / 2);
  let reads = 0;
  /** Pairs of a token and one that it sees. */
  let pairs = 0;
  for (let token = 0, window = 0; token < tokens; token++) {
    if (window === sequence) {
      window = half;
      reads += half;
      pairs += (half * (half + 1)) / 2;
    }
    window += 1;
    reads += 1;
    pairs += window;
  }
  return reads * weights + pairs * 2 * width * blocks;
}
