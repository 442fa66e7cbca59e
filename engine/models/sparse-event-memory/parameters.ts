import type { Initial, ParameterSpec } from '../../graph/parameters.ts';
import { type SparseStructure, STREAM_DEVIATION } from './structure.ts';

/** Share of a unit current that adapters start with. */
const ADAPTER_DEVIATION = 0.5;

/**
 * The trained parameters of the family in a fixed order: R D + blocks (M D + 2 M r D + 2 D) numbers. Synapses
 * and codes are no parameters: no gradient reaches them.
 */
export function sparseParameters(structure: SparseStructure): ParameterSpec[] {
  const { width, rank, blocks } = structure;
  return [
    matrix('basis.weight', [rank, width], STREAM_DEVIATION * rank ** -0.5),
    ...Array.from({ length: blocks }, (_, block) => blockParameters(block, structure)).flat(),
  ];
}

function blockParameters(block: number, structure: SparseStructure): ParameterSpec[] {
  const { width, experts, adapterRank, blocks, rank } = structure;
  const name = (part: string) => `blocks.${block}.${part}`;
  const fromStream = width ** -0.5 / STREAM_DEVIATION;
  // In the tied readout a token would start with a score of itself of D, not of 1.
  const gain =
    block === blocks - 1 ? Math.sqrt(rank) / (STREAM_DEVIATION * width) : STREAM_DEVIATION;
  return [
    matrix(name('router.weight'), [width, experts], fromStream),
    matrix(name('down.weight'), [width, experts * adapterRank], fromStream),
    matrix(
      name('up.weight'),
      [experts * adapterRank, width],
      ADAPTER_DEVIATION * adapterRank ** -0.5,
    ),
    vector(name('norm.weight'), [width], gain),
    vector(name('norm.bias'), [width], 0),
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
