import type { Player } from '../../backends/backend.ts';
import type { RunBuffer } from '../../train/run-parts.ts';
import { drawFixedValues, type FixedPart } from './fixed-part.ts';
import { sparseBuffers } from './family.ts';
import type { SparseStructure } from './structure.ts';

/** Codes and synapses, in the order of `FixedPart.tensors`. */
export function bufferTensors(structure: SparseStructure, { tensors }: FixedPart): RunBuffer[] {
  return sparseBuffers(structure).flatMap((spec, index) => {
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
