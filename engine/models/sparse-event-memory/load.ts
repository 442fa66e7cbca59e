import type { Backend, Player } from '../../backends/backend.ts';
import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import type { Program } from '../../graph/program.ts';
import { writeBuffers } from '../../train/parameter-blocks.ts';
import { layOutFixedPart } from './fixed-part.ts';
import { bufferTensors } from './kept.ts';
import type { SparseModel } from './learning.ts';
import { type SparseSpec, sparseStructureFrom } from './spec.ts';

/** What the programs of a stored model are traced from. */
export function sparseModelOf({ spec, layout }: StoredModel<SparseSpec>): SparseModel {
  const structure = sparseStructureFrom(spec);
  return { structure, layout, fixed: layOutFixedPart(structure) };
}

/** Loads programs with the parameters, codes and synapses of a stored model. */
export async function loadSparse(
  backend: Backend,
  { values, buffers }: Pick<StoredModel, 'values' | 'buffers'>,
  { structure, layout, fixed }: SparseModel,
  programs: readonly Program[],
): Promise<Player> {
  const player = await backend.load(layout, programs);
  player.write(layout.values, values);
  writeBuffers(player, bufferTensors(structure, fixed), buffers);
  return player;
}
