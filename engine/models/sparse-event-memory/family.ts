import { defineFamily } from '../family.ts';
import { sparseDescription } from './description.ts';
import type { BufferSpec } from '../../checkpoint/parameters-file.ts';
import { blocksOf, SYNAPSE_BLOCK } from '../../graph/synapses.ts';
import { byteWords } from '../../ops/quantised-linear.ts';
import { planMemory } from '../../train/plan-programs.ts';
import { sparseParameters } from './parameters.ts';
import { sparseSettings } from './settings.ts';
import { sparseMemory } from './sizes.ts';
import { SparseSpec, sparseStructureFrom } from './spec.ts';
import { checkSparseStructure, type SparseStructure, synapseShape } from './structure.ts';

/**
 * Codes and synapses as they lie in model.safetensors, in signed bytes. Codes are padded to words. Synapses are
 * `[experts, groups of 16 neurons, links, 16]`; where each comes from follows from `fixed_seed`.
 */
export function sparseBuffers(structure: SparseStructure): BufferSpec[] {
  const shape = synapseShape(structure);
  const synapses = [shape.experts, blocksOf(shape), shape.fanIn, SYNAPSE_BLOCK];
  const blocks = Array.from({ length: structure.blocks }, (_, block) => [
    { name: `blocks.${block}.input.synapses`, dtype: 'I8', shape: synapses } as const,
    { name: `blocks.${block}.recurrent.synapses`, dtype: 'I8', shape: synapses } as const,
  ]);
  const codes = [structure.vocabulary, 4 * byteWords(structure.rank)];
  return [{ name: 'codebook', dtype: 'I8', shape: codes }, ...blocks.flat()];
}

export const sparseEventMemory = defineFamily(sparseDescription, {
  spec: SparseSpec,
  parameters(spec) {
    const structure = sparseStructureFrom(spec);
    checkSparseStructure(structure);
    return sparseParameters(structure);
  },
  buffers: (spec) => sparseBuffers(sparseStructureFrom(spec)),
  // Characters of a text in a European language; how many there are hardly changes the plan.
  assumedShape: { vocabulary: 256 },
  check: (settings) => {
    sparseSettings(settings, 1);
  },
  plan: (settings, _controls, { vocabulary = 256 }) =>
    planMemory(sparseMemory(sparseSettings(settings, vocabulary))),
});
