import type { Backend, Player } from '../../graph/backend.ts';
import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import type { Program } from '../../graph/program.ts';
import { writeKept } from '../../train/kept-tensors.ts';
import { layOutFixedPart } from './fixed-part.ts';
import { keptTensors } from './kept.ts';
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
  { values, kept }: Pick<StoredModel, 'values' | 'kept'>,
  { structure, layout, fixed }: SparseModel,
  programs: readonly Program[],
): Promise<Player> {
  const player = await backend.load(layout, programs);
  player.write(layout.values, values);
  writeKept(player, keptTensors(structure, fixed), kept);
  return player;
}
