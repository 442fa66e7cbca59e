import { EngineError } from '../errors.ts';
import { wordsPerRow } from '../graph/tensor.ts';
import { featuresOf, type Shape, shapeText } from './layer.ts';

/**
 * Inputs of examples, one behind the other: `[N, features]`, the same in every time step, or `[N, T, features]`.
 * A `Float32Array` is currents. A `Uint8Array` is spikes, each 0 or 1, here as everywhere; a `Uint32Array` spikes packed 32 a word,
 * least significant first, each time step from a new word on.
 */
export type Inputs = Float32Array | Uint8Array | Uint32Array;

/** How an input lies in a program. */
export interface InputForm {
  /** 1 where an input is the same in every time step, else T. */
  readonly frames: number;
  readonly dtype: 'f32' | 'bits';
}

/** Inputs that were checked against a network. */
export interface CheckedInputs extends InputForm {
  readonly count: number;
  readonly x: Inputs;
  readonly features: number;
}

interface Taken {
  readonly input: Shape;
  readonly steps: number;
}

/**
 * Checks inputs against a network. `count` says how many examples they are; left out, spikes are over time, and
 * numbers are not. Throws EngineError `shape-mismatch` or `signal-invalid` that says where.
 */
export function checkInputs(x: Inputs, network: Taken, count?: number): CheckedInputs {
  if (!isInputs(x)) throw wrongArray('x', x);
  const features = featuresOf(network.input);
  const dtype = x instanceof Float32Array ? 'f32' : 'bits';
  const row = x instanceof Uint32Array ? wordsPerRow(features) : features;
  const steps = dtype === 'bits' ? network.steps : 1;
  const examples = count ?? x.length / (steps * row);
  const frames = x.length / (examples * row);
  const isWhole = Number.isInteger(examples) && examples > 0;
  if (!isWhole || ![1, network.steps].includes(frames)) {
    throw wrongLength(x, network, { row, count });
  }
  checkValues(x, x.length / examples);
  return { x, count: examples, features, frames, dtype };
}

function checkValues(x: Inputs, size: number): void {
  if (x instanceof Float32Array) checkNumbers('x', x, size);
  if (x instanceof Uint8Array) checkSpikes(x, size);
}

function wrongLength(
  x: Inputs,
  { input, steps }: Taken,
  { row, count }: { readonly row: number; readonly count: number | undefined },
): EngineError {
  const size = x instanceof Uint32Array ? `${row} words of spikes` : `${row} numbers`;
  const those = count === undefined ? '' : ` for ${count} examples`;
  return new EngineError(
    'shape-mismatch',
    `x has ${x.length} elements${those}: the input ${shapeText(input)} takes ${size} for each example, ` +
      `or ${steps} times as many over ${steps} time steps`,
  );
}

const isInputs = (x: unknown): x is Inputs =>
  x instanceof Float32Array || x instanceof Uint8Array || x instanceof Uint32Array;

/** For an array of a wrong kind. */
export function wrongArray(name: string, given: unknown): EngineError {
  const kind = Array.isArray(given) ? 'an array' : (given?.constructor?.name ?? String(given));
  const expected =
    name === 'x'
      ? 'a Float32Array of currents, a Uint8Array of spikes 0 and 1, or a Uint32Array of packed spikes'
      : 'classes as a Uint8Array, Uint32Array or array of numbers, or a Float32Array of numbers';
  return new EngineError('signal-invalid', `${name} is ${kind}: expected ${expected}`);
}

/** Throws EngineError `signal-invalid` that names the first number that is not finite. */
export function checkNumbers(name: string, x: ArrayLike<number>, size: number): void {
  for (let i = 0; i < x.length; i++) {
    // True of finite numbers alone.
    if ((x[i] as number) - (x[i] as number) === 0) continue;
    throw new EngineError(
      'signal-invalid',
      `${name} is ${x[i]} at ${placeOf(i, size)}: expected finite numbers; look for divisions by zero where it is made`,
    );
  }
}

function checkSpikes(x: Uint8Array, size: number): void {
  for (let i = 0; i < x.length; i++) {
    if ((x[i] as number) <= 1) continue;
    throw new EngineError(
      'signal-invalid',
      `x is ${x[i]} at ${placeOf(i, size)}: a Uint8Array is spikes, 0 or 1; ` +
        'for pixels take Float32Array.from(bytes, (byte) => byte / 255), or arrayExamples with scale: 1 / 255',
    );
  }
}

const placeOf = (index: number, size: number) =>
  `example ${Math.floor(index / size)}, element ${index % size}`;

/** A row of a batch `[frames][rows][features]`, packed where it is spikes. */
export interface BatchRow {
  readonly inputs: Float32Array | Uint32Array;
  readonly rows: number;
  readonly row: number;
}

/** Writes one example into a row of a batch. */
export function writeInputs(
  { x, frames, features }: CheckedInputs,
  example: number,
  { inputs, rows, row }: BatchRow,
): void {
  const width = x instanceof Float32Array ? features : wordsPerRow(features);
  const size = x instanceof Uint8Array ? features : width;
  for (let frame = 0; frame < frames; frame++) {
    const from = (example * frames + frame) * size;
    const to = (frame * rows + row) * width;
    const source = x.subarray(from, from + size);
    if (source instanceof Uint8Array) packSpikes(source, inputs, to);
    else inputs.set(source, to);
  }
}

function packSpikes(spikes: Uint8Array, words: Float32Array | Uint32Array, to: number): void {
  for (let first = 0; first < spikes.length; first += 32) {
    let word = 0;
    const end = Math.min(32, spikes.length - first);
    for (let bit = 0; bit < end; bit++) word |= (spikes[first + bit] ?? 0) << bit;
    words[to + first / 32] = word >>> 0;
  }
}
