import { EngineError } from '../errors.ts';
import type { TargetKind } from '../losses/loss.ts';
import {
  type BatchRow,
  type CheckedInputs,
  checkInputs,
  type Inputs,
  writeInputs,
} from './example-inputs.ts';
import { type CheckedTargets, checkTargets, type Targets, writeTarget } from './example-targets.ts';
import type { Shape } from './layer.ts';

/** Examples in arrays: a whole data set, or a batch. */
export interface ExampleArrays {
  readonly x: Inputs;
  readonly y: Targets;
}

/** Examples that were checked against a network. */
export interface CheckedExamples extends CheckedInputs {
  readonly targets: CheckedTargets;
}

/** Of `arrayExamples`: whoever gives them here expects that they are read. */
const OF_EXAMPLES = ['scale', 'frames', 'width'] as const;

export function checkExamples(
  { x, y, ...others }: ExampleArrays,
  network: Taken,
  kind: TargetKind,
): CheckedExamples {
  const unread = OF_EXAMPLES.find((name) => name in others);
  if (unread !== undefined) {
    throw new EngineError(
      'dataset-invalid',
      `the data has "${unread}": expected x and y; arrayExamples of spikegrid/data takes more`,
    );
  }
  const targets = checkTargets(y, kind, network);
  return { ...checkInputs(x, network, targets.count), targets };
}

interface Taken {
  readonly input: Shape;
  readonly output: Shape;
  readonly steps: number;
}

interface ExampleRow extends BatchRow {
  readonly targets: Float32Array | Uint32Array;
}

/** Writes an example into a row of a batch. */
export function writeExample(examples: CheckedExamples, example: number, row: ExampleRow): void {
  writeInputs(examples, example, row);
  writeTarget(examples.targets, example, row);
}
