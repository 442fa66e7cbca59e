import type { Initial, ParameterSpec } from '../../graph/parameters.ts';
import type { TransformerStructure } from './structure.ts';

const DEVIATION = 0.02;

/**
 * The parameters of the family in a fixed order: 2 V D + S D + V + 2 D + blocks (12 D^2 + 9 D) numbers.
 * Weights are `[inputs, outputs]`; the columns of `qkv` are queries, keys and values in this order.
 */
export function transformerParameters(structure: TransformerStructure): ParameterSpec[] {
  const { vocabulary, width, blocks, sequence } = structure;
  return [
    matrix('embed.weight', [vocabulary, width], DEVIATION),
    matrix('position.weight', [sequence, width], DEVIATION),
    ...Array.from({ length: blocks }, (_, block) => blockParameters(block, structure)).flat(),
    vector('norm.weight', [width], 1),
    vector('norm.bias', [width], 0),
    matrix('readout.weight', [width, vocabulary], DEVIATION),
    vector('readout.bias', [vocabulary], 0),
  ];
}

function blockParameters(block: number, { width, blocks }: TransformerStructure): ParameterSpec[] {
  const name = (part: string) => `blocks.${block}.${part}`;
  // What is added to the stream keeps its size however many blocks add (Radford et al. 2019).
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
