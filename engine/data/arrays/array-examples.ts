import { expectCount, expectFinite } from '../../checks.ts';
import { EngineError } from '../../errors.ts';
import type { Examples } from '../examples.ts';
import { spikeAt, wordsOf } from './packed-spikes.ts';

/** Examples in memory, one after another. */
export interface ExampleArrays {
  /**
   * `[examples][frames][width]`: numbers; bytes that are spikes, 0 or 1, as `fit` takes them, or with a `scale`
   * numbers from 0 to 255; or packed spikes, a row of ceil(width / 32) words for each frame, least significant
   * bit first.
   */
  readonly x: Float32Array | Uint8Array | Uint32Array;
  /** The class of each example, a whole number from 0. */
  readonly y: ArrayLike<number>;
  /** Factor of numbers; bytes are numbers where it is given: 1 / 255 makes the pixels of an image 0 to 1. */
  readonly scale?: number;
  /** Time steps of an example, 1 by default. */
  readonly frames?: number;
  /** Numbers of a frame; needed for packed spikes, otherwise found from the length of `x`. */
  readonly width?: number;
}

/**
 * Arrays as examples. They are not copied. Throws EngineError `shape-mismatch` where the lengths do not fit each
 * other, `signal-invalid` for the first number that is not finite, the first byte that is no spike and the first
 * label that is no class.
 */
export function arrayExamples(arrays: ExampleArrays): Examples {
  const { x, y, frames = 1, width: given, scale = 1 } = arrays;
  const count = y.length;
  expectFinite('arrayExamples', 'scale', scale);
  expectCount('arrayExamples', 'frames', frames);
  expectCount('arrayExamples', 'examples', count);
  const width = given ?? x.length / (count * frames);
  const stride = x instanceof Uint32Array ? wordsOf(width) : width;
  checkLength(x, { count, frames, stride, given });
  if (x instanceof Float32Array) checkNumbers(x);
  if (x instanceof Uint8Array && arrays.scale === undefined) checkSpikes(x);
  const writeFrame = createFrameWriter(x, width, scale);
  return {
    count,
    frames,
    width,
    classes: countClasses(y),
    label: (example) => y[example] ?? 0,
    write(example, { inputs, rows, row }) {
      for (let frame = 0; frame < frames; frame++) {
        writeFrame((example * frames + frame) * stride, inputs, (frame * rows + row) * width);
      }
    },
  };
}

/** Writes the frame that begins at an element of `x` as numbers. */
function createFrameWriter(x: ExampleArrays['x'], width: number, scale: number) {
  if (x instanceof Float32Array && scale === 1) {
    return (from: number, to: Float32Array, at: number) =>
      to.set(x.subarray(from, from + width), at);
  }
  const numberAt =
    x instanceof Uint32Array
      ? (from: number, i: number) => spikeAt(x, from, i)
      : (from: number, i: number) => (x[from + i] as number) * scale;
  return (from: number, to: Float32Array, at: number) => {
    for (let i = 0; i < width; i++) to[at + i] = numberAt(from, i);
  };
}

interface Lengths {
  readonly count: number;
  readonly frames: number;
  /** Elements of a frame. */
  readonly stride: number;
  readonly given: number | undefined;
}

function checkLength(x: ExampleArrays['x'], { count, frames, stride, given }: Lengths): void {
  const isPacked = x instanceof Uint32Array;
  if (isPacked && given === undefined) {
    mismatch('x is packed', 'a `width`, the number of neurons of a row');
  }
  const isWhole = Number.isInteger(given ?? stride) && stride >= 1;
  if (isWhole && x.length === count * frames * stride) return;
  const found = `x has ${x.length} ${isPacked ? 'words' : 'numbers'} for ${count} labels`;
  mismatch(found, `${count} x ${frames} x ${given === undefined ? 'a whole number' : stride}`);
}

function mismatch(found: string, expected: string): never {
  throw new EngineError('shape-mismatch', `arrayExamples: ${found}: expected ${expected}`);
}

function checkNumbers(x: Float32Array): void {
  const at = x.findIndex((value) => !Number.isFinite(value));
  if (at >= 0) invalid(`x[${at}] is ${x[at]}`, 'a finite number');
}

function checkSpikes(x: Uint8Array): void {
  const at = x.findIndex((value) => value > 1);
  if (at < 0) return;
  const expected = '0 or 1, as a Uint8Array is spikes; pixels have a scale, such as scale: 1 / 255';
  invalid(`x[${at}] is ${x[at]}`, expected);
}

function countClasses(y: ArrayLike<number>): number {
  let classes = 0;
  for (let i = 0; i < y.length; i++) {
    const label = y[i] as number;
    if (!Number.isInteger(label) || label < 0) invalid(`y[${i}] is ${label}`, 'a class from 0');
    classes = Math.max(classes, label + 1);
  }
  return classes;
}

function invalid(found: string, expected: string): never {
  throw new EngineError('signal-invalid', `arrayExamples: ${found}: expected ${expected}`);
}
