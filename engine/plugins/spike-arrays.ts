import { wordsPerRow } from '../graph/tensor.ts';
import type { PluginArray } from './ports.ts';

const BITS = 32;

/** Packs a raster of 0 and 1, `[T, N]`, as on devices: `bits[T][N]`, least significant bit first. */
export function packSpikes({ shape, data }: PluginArray): Uint32Array {
  const [steps = 0, width = 0] = shape;
  const words = wordsPerRow(width);
  const bits = new Uint32Array(steps * words);
  for (const [i, value] of data.entries()) {
    if (value === 0) continue;
    const neuron = i % width;
    const word = Math.floor(i / width) * words + Math.floor(neuron / BITS);
    bits[word] = (bits[word] ?? 0) | (1 << (neuron % BITS));
  }
  return bits;
}

/** The way back. */
export function unpackSpikes(bits: ArrayLike<number>, steps: number, width: number): PluginArray {
  const spikes = new Float32Array(steps * width);
  const words = wordsPerRow(width);
  for (let step = 0; step < steps; step++) {
    unpackRow(bits, step * words, spikes.subarray(step * width, (step + 1) * width));
  }
  return { shape: [steps, width], data: spikes };
}

/** Writes 1 for every bit that is set in the row of words from `first` on. */
export function unpackRow(bits: ArrayLike<number>, first: number, row: Float32Array): void {
  for (let word = 0; word < wordsPerRow(row.length); word++) {
    for (let left = bits[first + word] ?? 0; left !== 0; left &= left - 1) {
      row[word * BITS + (BITS - 1 - Math.clz32(left & -left))] = 1;
    }
  }
}

/** Steps and neurons of the spikes of a raster, in order. */
export function eventsOf({ shape, data }: PluginArray): [step: number, neuron: number][] {
  const width = shape[1] ?? 1;
  const events: [number, number][] = [];
  for (const [i, value] of data.entries()) {
    if (value !== 0) events.push([Math.floor(i / width), i % width]);
  }
  return events;
}
