import type { KeptTensor } from '../../train/run-loop.ts';
import type { FixedPart } from './fixed-part.ts';
import { keptSparse } from './stored.ts';
import type { SparseStructure } from './structure.ts';

/** Codes and synapses, in the order of `FixedPart.tensors`. */
export function keptTensors(structure: SparseStructure, { tensors }: FixedPart): KeptTensor[] {
  return keptSparse(structure).flatMap((spec, index) => {
    const tensor = tensors[index];
    return tensor ? [{ ...spec, tensor }] : [];
  });
}
