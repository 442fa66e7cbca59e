import type { Player } from '../graph/backend.ts';
import { wordCount } from '../graph/tensor.ts';
import type { LayerCount } from '../models/dense-chronospike/programs.ts';
import { type LayerActivity, layerActivity } from './spike-statistics.ts';

/** Sets the spike counters of all layers to zero. */
export function clearCounts(player: Player, layers: readonly LayerCount[]): void {
  for (const { counts } of layers) player.write(counts, new Uint32Array(wordCount(counts)));
}

/** Reads the counters; each neuron had `chances` time steps to fire since they were cleared. */
export async function readActivity(
  player: Player,
  layers: readonly LayerCount[],
  chances: number,
): Promise<LayerActivity[]> {
  const activities: LayerActivity[] = [];
  for (const { name, counts } of layers) {
    // Counters are always u32.
    activities.push(layerActivity(name, (await player.read(counts)) as Uint32Array, chances));
  }
  return activities;
}
