import type { Tensor } from '../graph/tensor.ts';
import type { Player } from '../graph/backend.ts';
import { wordCount } from '../graph/tensor.ts';

export interface LayerCount {
  readonly name: string;
  /** `u32[width]`: spikes of each neuron since the host last cleared it. */
  readonly counts: Tensor;
}

/** How the neurons of one layer fired over a number of chances. */
export interface LayerActivity {
  readonly name: string;
  readonly neurons: number;
  /** Spikes per neuron and time step. */
  readonly rate: number;
  /** Fraction of neurons that never fired. */
  readonly dead: number;
  /** Fraction of neurons that fired at more than SATURATED of all chances. */
  readonly saturated: number;
  /** Neurons by firing rate: `RATE_BINS` equal bins from 0 to 1. */
  readonly histogram: readonly number[];
}

const RATE_BINS = 20;
const SATURATED = 0.95;

/** `counts[n]` spikes of neuron n in `chances` time steps. */
export function layerActivity(name: string, counts: Uint32Array, chances: number): LayerActivity {
  const histogram = Array.from({ length: RATE_BINS }, () => 0);
  let dead = 0;
  let saturated = 0;
  let spikes = 0;
  for (const count of counts) {
    const rate = count / chances;
    spikes += count;
    if (count === 0) dead++;
    if (rate > SATURATED) saturated++;
    const bin = Math.min(RATE_BINS - 1, Math.floor(rate * RATE_BINS));
    histogram[bin] = (histogram[bin] ?? 0) + 1;
  }
  const neurons = counts.length;
  return {
    name,
    neurons,
    rate: spikes / (neurons * chances),
    dead: dead / neurons,
    saturated: saturated / neurons,
    histogram,
  };
}

/** The layers as one, each neuron counting the same; undefined where no neuron fires, as in a network of numbers. */
export function overallActivity(
  layers: readonly LayerActivity[],
): Pick<LayerActivity, 'rate' | 'dead' | 'saturated'> | undefined {
  if (layers.length === 0) return undefined;
  const neurons = layers.reduce((sum, layer) => sum + layer.neurons, 0);
  const mean = (pick: (layer: LayerActivity) => number) =>
    layers.reduce((sum, layer) => sum + pick(layer) * layer.neurons, 0) / neurons;
  return {
    rate: mean((layer) => layer.rate),
    dead: mean((layer) => layer.dead),
    saturated: mean((layer) => layer.saturated),
  };
}

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
