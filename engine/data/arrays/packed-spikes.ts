import { EngineError } from '../../errors.ts';

/** Spikes of a word; the first neuron is its lowest bit. */
const BITS = 32;

/** Words of a row of so many neurons. */
export const wordsOf = (width: number): number => Math.ceil(width / BITS);

/** The spike of neuron `i` in the row whose words begin at `start`, 0 or 1. */
export function spikeAt(words: Uint32Array, start: number, i: number): number {
  return ((words[start + (i >>> 5)] as number) >>> (i & 31)) & 1;
}

/**
 * Packs spikes `[rows][width]` of 0 and 1 into bits, ceil(width / 32) words a row. Throws EngineError
 * `signal-invalid` for the first value that is neither, `shape-mismatch` where rows are not whole.
 */
export function packSpikes(spikes: ArrayLike<number>, width: number): Uint32Array {
  const rows = spikes.length / width;
  if (!Number.isInteger(rows) || !Number.isInteger(width)) {
    const message = `packSpikes: ${spikes.length} spikes: expected rows of ${width}`;
    throw new EngineError('shape-mismatch', message);
  }
  const packed = new Uint32Array(rows * wordsOf(width));
  for (let at = 0; at < spikes.length; at++) {
    const value = spikes[at];
    if (value === 0) continue;
    if (value !== 1) {
      const place = `row ${Math.floor(at / width)}, neuron ${at % width}`;
      throw new EngineError('signal-invalid', `packSpikes: ${place} is ${value}: expected 0 or 1`);
    }
    const i = at % width;
    const word = Math.floor(at / width) * wordsOf(width) + (i >>> 5);
    packed[word] = (packed[word] as number) | (1 << (i & 31));
  }
  return packed;
}

/** The spikes `[rows][width]` of packed rows as 0 and 1. Throws EngineError `shape-mismatch`. */
export function unpackSpikes(packed: Uint32Array, width: number): Float32Array {
  const rows = packed.length / wordsOf(width);
  if (!Number.isInteger(rows)) {
    const message = `unpackSpikes: ${packed.length} words: expected rows of ${wordsOf(width)}`;
    throw new EngineError('shape-mismatch', message);
  }
  const spikes = new Float32Array(rows * width);
  for (let row = 0; row < rows; row++) {
    for (let i = 0; i < width; i++) {
      spikes[row * width + i] = spikeAt(packed, row * wordsOf(width), i);
    }
  }
  return spikes;
}
