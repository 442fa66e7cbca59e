import type { Player } from '../graph/backend.ts';
import type { StoredTraining } from '../checkpoint/checkpoint.ts';
import type { StoredBuffers } from '../checkpoint/parameters-file.ts';
import { SAFETENSORS_ARRAYS, type SafetensorsEntry } from '../checkpoint/safetensors.ts';
import { EngineError } from '../errors.ts';
import type { ParameterLayout } from '../graph/parameters.ts';
import { WORD_BYTES, wordCount } from '../graph/tensor.ts';
import { initialValues } from './initial-values.ts';
import type { RunBuffer, RunParts } from './run-parts.ts';

/** Draws the first parameters of a run; the moments are zero on a device that was just loaded. */
export function startParameters(player: Player, layout: ParameterLayout, seed: number): void {
  for (const parameter of layout.parameters) {
    player.write(parameter.value, initialValues(parameter, seed));
  }
}

/** Parameters, moments and whatever else a checkpoint keeps; a base model keeps nothing of its own training. */
export function restoreBlocks(
  player: Player,
  { layout, buffers, trainingBuffers }: Pick<RunParts, 'layout' | 'buffers' | 'trainingBuffers'>,
  stored: StoredTraining,
): void {
  player.write(layout.values, stored.values);
  player.write(layout.momentum, stored.momentum);
  player.write(layout.variance, stored.variance);
  writeBuffers(player, buffers, stored.buffers);
  const known = trainingBuffers?.filter(({ name }) => stored.trainingBuffers?.has(name));
  writeBuffers(player, known, stored.trainingBuffers);
}

/** A copy of the parameter block, which is always f32. */
export async function readParameters(
  player: Player,
  { values }: ParameterLayout,
): Promise<Float32Array> {
  return (await player.read(values)) as Float32Array;
}

/** A copy of the gradients of the last step, f32 as the parameters. */
export async function readGradients(
  player: Player,
  { gradients }: ParameterLayout,
): Promise<Float32Array> {
  return ((await player.read(gradients)) as Float32Array).slice();
}

type Agreed = Pick<RunParts, 'layout' | 'trainingBuffers'>;

/** A copy of the parameter block, and behind it of what else members agree on, f32 as well. */
export async function readAgreed(player: Player, parts: Agreed): Promise<Float32Array> {
  const agreed = agreedOf(parts).map(({ tensor }) => player.read(tensor));
  const read = await Promise.all([player.read(parts.layout.values), ...agreed]);
  return joined(read as Float32Array[]);
}

/** Overwrites what `readAgreed` reads. Throws EngineError `shape-mismatch` for another number of values. */
export function writeAgreed(player: Player, parts: Agreed, given: Float32Array): void {
  const { values } = parts.layout;
  const agreed = agreedOf(parts);
  const count = [values, ...agreed.map(({ tensor }) => tensor)].reduce(
    (sum, tensor) => sum + wordCount(tensor),
    0,
  );
  if (given.length !== count) {
    throw new EngineError(
      'shape-mismatch',
      `${given.length} parameters were given: the model has ${count}, padding included`,
    );
  }
  player.write(values, given.subarray(0, wordCount(values)));
  let first = wordCount(values);
  for (const { tensor, range } of agreed) {
    const own = given.subarray(first, first + wordCount(tensor));
    player.write(
      tensor,
      own.map((value) => Math.min(range.highest, Math.max(range.lowest, value))),
    );
    first += own.length;
  }
}

/** Shared buffers in their order behind the parameter block. */
function agreedOf({ trainingBuffers = [] }: Agreed) {
  return trainingBuffers.flatMap(({ tensor, agreed }) =>
    agreed ? [{ tensor, range: agreed }] : [],
  );
}

/** Some float32 arrays one behind the other. */
export function joined(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let first = 0;
  for (const part of parts) {
    whole.set(part, first);
    first += part.length;
  }
  return whole;
}

/** Reads tensors that are no parameters off the device, as a checkpoint has them. */
export async function readBuffers(
  player: Player,
  buffers: readonly RunBuffer[] = [],
): Promise<StoredBuffers> {
  const entries = buffers.map(async ({ name, dtype, shape, tensor }) => {
    const words = await player.read(tensor);
    const bytes = words.slice().buffer;
    const data = new SAFETENSORS_ARRAYS[dtype](bytes, 0, elementsOf(shape));
    return [name, { dtype, shape, data }] satisfies [string, SafetensorsEntry];
  });
  return new Map(await Promise.all(entries));
}

/** Writes what a checkpoint kept back onto the device; the words behind the last element are zero. */
export function writeBuffers(
  player: Player,
  buffers: readonly RunBuffer[] = [],
  stored: StoredBuffers | undefined,
): void {
  for (const { name, tensor } of buffers) {
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
