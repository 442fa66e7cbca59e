import { structureChecks } from '../structure-checks.ts';
import { energyOf, type SpikeUse } from '../../evaluation/spike-use.ts';
import type { Initial, ParameterSpec } from '../../graph/parameters.ts';

/** Shape of a standard_transformer model. */
export interface TransformerStructure {
  readonly vocabulary: number;
  /** d_model. */
  readonly width: number;
  readonly heads: number;
  readonly blocks: number;
  /** Places that have a learned vector: the longest text the model can look at. */
  readonly sequence: number;
  /** Tokens of the longest n-grams whose log-probabilities are added to the logits; none where left out or 0. */
  readonly ngramOrder?: number;
}

const checks = structureChecks('standard_transformer');

/** Limits of a structure: tracing a larger one would not end in reasonable time. */
const LIMITS = {
  vocabulary: 0x110000,
  d_model: 1 << 14,
  heads: 1 << 10,
  blocks: 1 << 8,
  seq_len: 1 << 14,
} as const;

/** Throws EngineError `invalid-structure` that names the value and what was expected. */
export function checkTransformerStructure(structure: TransformerStructure): void {
  const { vocabulary, width, heads, blocks, sequence } = structure;
  checks.counts({ vocabulary, d_model: width, heads, blocks, seq_len: sequence }, LIMITS);
  checks.headsOf(width, heads);
}

const DEVIATION = 0.02;
const BESIDE_TABLES = 0.1;

/**
 * The parameters of the family in a fixed order: 2 V D + S D + V + 2 D + blocks (12 D^2 + 9 D) numbers.
 * Weights are `[inputs, outputs]`; the columns of `qkv` are queries, keys and values in this order.
 */
export function transformerParameters(structure: TransformerStructure): ParameterSpec[] {
  const { vocabulary, width, blocks, sequence, ngramOrder = 0 } = structure;
  // Beside tables the network begins with next to nothing to say.
  const readout = ngramOrder > 0 ? BESIDE_TABLES * DEVIATION : DEVIATION;
  return [
    matrix('embed.weight', [vocabulary, width], DEVIATION),
    matrix('position.weight', [sequence, width], DEVIATION),
    ...Array.from({ length: blocks }, (_, block) => blockParameters(block, structure)).flat(),
    vector('norm.weight', [width], 1),
    vector('norm.bias', [width], 0),
    matrix('readout.weight', [width, vocabulary], readout),
    vector('readout.bias', [vocabulary], 0),
  ];
}

function blockParameters(block: number, { width, blocks }: TransformerStructure): ParameterSpec[] {
  const name = (part: string) => `blocks.${block}.${part}`;
  // The residual sum keeps its scale whatever the number of blocks (Radford et al. 2019).
  const residual = DEVIATION * (2 * blocks) ** -0.5;
  return [
    vector(name('norm1.weight'), [width], 1),
    vector(name('norm1.bias'), [width], 0),
    matrix(name('qkv.weight'), [width, 3 * width], DEVIATION),
    matrix(name('out.weight'), [width, width], residual),
    vector(name('norm2.weight'), [width], 1),
    vector(name('norm2.bias'), [width], 0),
    matrix(name('up.weight'), [width, 4 * width], DEVIATION),
    vector(name('up.bias'), [4 * width], 0),
    matrix(name('down.weight'), [4 * width, width], residual),
    vector(name('down.bias'), [width], 0),
  ];
}

function matrix(name: string, shape: readonly number[], deviation: number): ParameterSpec {
  const initial: Initial = { kind: 'normal', deviation };
  return { name, shape, initial, decayed: true };
}

function vector(name: string, shape: readonly number[], value: number): ParameterSpec {
  const initial: Initial = { kind: 'constant', value };
  return { name, shape, initial, decayed: false };
}

/** MACs of reading `tokens` tokens of a text. */
export function transformerUse(structure: TransformerStructure, tokens: number): SpikeUse {
  return floatUse(macsOfText(structure, tokens));
}

/** Use of a network without spikes. */
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
