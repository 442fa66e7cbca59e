import { EngineError } from '../errors.ts';
import { describe, type DType, type Tensor } from '../graph/tensor.ts';

/** An activation's axes: time steps, rows (batch times sequence), features. */
export interface Axes {
  readonly steps: number;
  readonly rows: number;
  readonly width: number;
}

/** Reads `[steps, rows, width]` off a tensor, or throws naming the op and what it was given. */
export function axesOf(op: string, tensor: Tensor, dtype: DType = 'f32'): Axes {
  const [steps, rows, width] = tensor.shape;
  if (
    tensor.dtype !== dtype ||
    tensor.shape.length !== 3 ||
    steps === undefined ||
    rows === undefined ||
    width === undefined
  ) {
    throw new EngineError(
      'shape-mismatch',
      `${op}: expected ${dtype}[steps, rows, width], got ${describe(tensor)}`,
    );
  }
  return { steps, rows, width };
}

/** Throws unless `tensor` has exactly this shape and dtype. */
export function expectShape(
  op: string,
  tensor: Tensor,
  shape: readonly number[],
  dtype: DType = 'f32',
): void {
  if (tensor.dtype === dtype && isSameShape(tensor.shape, shape)) return;
  throw new EngineError(
    'shape-mismatch',
    `${op}: expected ${dtype}[${shape.join(', ')}], got ${describe(tensor)}`,
  );
}

/** Throws unless `rows` splits into sequences of `sequence` tokens. */
export function expectSequences(op: string, rows: number, sequence: number): void {
  if (Number.isInteger(rows / sequence)) return;
  throw new EngineError(
    'shape-mismatch',
    `${op}: ${rows} rows do not split into sequences of ${sequence} tokens`,
  );
}

/** Throws unless `value` is a whole number of at least `least`. */
export function expectWhole(op: string, name: string, value: number, least: number): void {
  if (Number.isInteger(value) && value >= least) return;
  throw new EngineError(
    'invalid-setting',
    `${op}: ${name} is ${value}: expected a whole number of at least ${least}`,
  );
}

function isSameShape(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((axis, i) => axis === b[i]);
}
