import { EngineError } from '../errors.ts';
import type { TargetKind } from '../losses/loss.ts';
import { checkNumbers, wrongArray } from './example-inputs.ts';
import { featuresOf, type Shape } from './layer.ts';

/** Classes, one for each example from 0 on; or numbers to be reached, `[N, outputs]`, as a `Float32Array`. */
export type Targets =
  | Float32Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Int32Array
  | readonly number[];

/** Targets that were checked against a network and its loss. */
export interface CheckedTargets {
  readonly kind: TargetKind;
  readonly count: number;
  /** Time steps of a target. */
  readonly frames: number;
  readonly y: Targets;
}

interface Wanted {
  readonly output: Shape;
  readonly steps: number;
}

/** Throws EngineError `dataset-invalid` that names the first label that is no class, `shape-mismatch` for other sizes. */
export function checkTargets(y: Targets, kind: TargetKind, wanted: Wanted): CheckedTargets {
  const isBig = y instanceof BigInt64Array || y instanceof BigUint64Array;
  if (isBig || (!Array.isArray(y) && !ArrayBuffer.isView(y))) throw wrongArray('y', y);
  switch (kind) {
    case 'none':
      return { kind, count: y.length, frames: 1, y };
    case 'classes':
      return checkClasses(y, featuresOf(wanted.output));
    case 'values':
    case 'trains':
      return checkWanted(y, kind, wanted);
  }
}

function checkWanted(
  y: Targets,
  kind: 'values' | 'trains',
  { output, steps }: Wanted,
): CheckedTargets {
  const frames = kind === 'trains' ? steps : 1;
  const size = frames * featuresOf(output);
  const count = y.length / size;
  if (!Number.isInteger(count) || count === 0) {
    throw new EngineError(
      'shape-mismatch',
      `y has ${y.length} numbers: this loss takes ${size} for each example, ${featuresOf(output)} outputs in ` +
        `${frames} time steps`,
    );
  }
  checkNumbers('y', y, size);
  return { kind, count, frames, y };
}

function checkClasses(y: Targets, outputs: number): CheckedTargets {
  for (let i = 0; i < y.length; i++) {
    const label = y[i] as number;
    if (Number.isInteger(label) && label >= 0 && label < outputs) continue;
    throw new EngineError(
      'dataset-invalid',
      `y is ${String(label)} at example ${i}: the network has ${outputs} outputs, ` +
        `so that classes are whole numbers from 0 to ${outputs - 1}`,
    );
  }
  return { kind: 'classes', count: y.length, frames: 1, y };
}

/** Writes the target of one example into a row of a batch. */
export function writeTarget(
  { kind, y, count, frames }: CheckedTargets,
  example: number,
  { targets, rows, row }: { targets: Float32Array | Uint32Array; rows: number; row: number },
): void {
  if (kind === 'none') return;
  const size = y.length / count;
  const width = size / frames;
  for (let frame = 0; frame < frames; frame++) {
    const from = example * size + frame * width;
    const to = (frame * rows + row) * width;
    for (let i = 0; i < width; i++) targets[to + i] = y[from + i] as number;
  }
}
