import type { Player } from '../../graph/backend.ts';
import type { KeptTensor } from '../../train/run-loop.ts';
import { drawFixedValues, type FixedPart } from './fixed-part.ts';
import { keptSparse } from './stored.ts';
import type { SparseStructure } from './structure.ts';

/** Codes and synapses, in the order of `FixedPart.tensors`. */
export function keptTensors(structure: SparseStructure, { tensors }: FixedPart): KeptTensor[] {
  return keptSparse(structure).flatMap((spec, index) => {
    const tensor = tensors[index];
    return tensor ? [{ ...spec, tensor }] : [];
  });
}

/** Writes the codes and synapses of a fresh model. */
export function startFixedPart(
  player: Player,
  structure: SparseStructure,
  { tensors }: FixedPart,
): void {
  const values = drawFixedValues(structure);
  for (const [index, tensor] of tensors.entries()) {
    player.write(tensor, values[index] ?? new Uint32Array());
  }
}
