import type { Player } from '../graph/backend.ts';
import type { KeptTensors } from '../checkpoint/parameters-file.ts';
import { SAFETENSORS_ARRAYS, type SafetensorsEntry } from '../checkpoint/safetensors.ts';
import { WORD_BYTES, wordCount } from '../graph/tensor.ts';
import type { KeptTensor } from './run-loop.ts';

/** Reads tensors that are no parameters off the device, as a checkpoint has them. */
export async function readKept(
  player: Player,
  kept: readonly KeptTensor[] = [],
): Promise<KeptTensors> {
  const entries = kept.map(async ({ name, dtype, shape, tensor }) => {
    const words = await player.read(tensor);
    const bytes = words.slice().buffer;
    const data = new SAFETENSORS_ARRAYS[dtype](bytes, 0, elementsOf(shape));
    return [name, { dtype, shape, data }] satisfies [string, SafetensorsEntry];
  });
  return new Map(await Promise.all(entries));
}

/** Writes what a checkpoint kept back onto the device; the words behind the last element are zero. */
export function writeKept(
  player: Player,
  kept: readonly KeptTensor[] = [],
  stored: KeptTensors | undefined,
): void {
  for (const { name, tensor } of kept) {
    const entry = stored?.get(name);
    if (!entry) throw new Error(`${name} is not in a checkpoint that was checked for it`);
    const { buffer, byteOffset, byteLength } = entry.data;
    const bytes = new Uint8Array(wordCount(tensor) * WORD_BYTES);
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength));
    const Words = tensor.dtype === 'f32' ? Float32Array : Uint32Array;
    player.write(tensor, new Words(bytes.buffer));
  }
}

function elementsOf(shape: readonly number[]): number {
  return shape.reduce((a, b) => a * b, 1);
}
