import { byteWords } from '../../graph/tensor.ts';
import type { KeptSpec, StoredFamily } from '../../families/stored-family.ts';
import { blocksOf, SYNAPSE_BLOCK } from '../../kernels/synapses.ts';
import { sparseParameters } from './parameters.ts';
import { SparseSpec, sparseStructureFrom } from './spec.ts';
import { checkSparseStructure, type SparseStructure, synapseShape } from './structure.ts';

/**
 * Codes and synapses as they lie in model.safetensors, in signed bytes. Codes are padded to words. Synapses are
 * `[experts, groups of 16 neurons, links, 16]`; where each comes from follows from `fixed_seed`.
 */
export function keptSparse(structure: SparseStructure): KeptSpec[] {
  const shape = synapseShape(structure);
  const synapses = [shape.experts, blocksOf(shape), shape.fanIn, SYNAPSE_BLOCK];
  const blocks = Array.from({ length: structure.blocks }, (_, block) => [
    { name: `blocks.${block}.input.synapses`, dtype: 'I8', shape: synapses } as const,
    { name: `blocks.${block}.recurrent.synapses`, dtype: 'I8', shape: synapses } as const,
  ]);
  const codes = [structure.vocabulary, 4 * byteWords(structure.rank)];
  return [{ name: 'codebook', dtype: 'I8', shape: codes }, ...blocks.flat()];
}

export const storedSparse: StoredFamily<typeof SparseSpec> = {
  spec: SparseSpec,
  parameters(spec) {
    const structure = sparseStructureFrom(spec);
    checkSparseStructure(structure);
    return sparseParameters(structure);
  },
  kept: (spec) => keptSparse(sparseStructureFrom(spec)),
};
