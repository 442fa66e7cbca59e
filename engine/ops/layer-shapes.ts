import { EngineError } from '../errors.ts';
import type { DType, Tensor } from '../graph/tensor.ts';
import { type Axes, axesOf } from './shapes.ts';

/** A gradient through time keeps a state for every step; so many fit what a GPU gives an invocation. */
const MAX_STEPS_BACK = 1000;
/** With checkpoints it keeps those of 2 sqrt(T) steps. */
const MAX_CHECKPOINTED_STEPS = 50_000;

/** How a gradient comes by the states of each step: all are kept, or every sqrt(T)th, and the others run again. */
export type Checkpoints = 'sqrt' | undefined;

/** The size of a layer that runs for `steps` steps on a current of as many, or of one that is held. */
interface LayerShape extends Axes {
  readonly currentSteps: number;
}

/** Reads a layer's size off its current, or throws naming the op and what was given. */
export function layerShape(
  op: string,
  current: Tensor,
  steps: number,
  dtype: DType = 'f32',
): LayerShape {
  const axes = axesOf(op, current, dtype);
  if (!Number.isInteger(steps) || steps < 1) {
    refuse(op, `steps is ${steps}: expected a whole number from 1 on`);
  }
  if (axes.steps !== 1 && axes.steps !== steps) {
    throw new EngineError(
      'shape-mismatch',
      `${op}: the current has ${axes.steps} steps, expected 1 or ${steps}`,
    );
  }
  return { ...axes, steps, currentSteps: axes.steps };
}

/** Throws if a gradient would go back through more steps than states are kept of. */
export function expectStepsBack(op: string, steps: number, checkpoints?: Checkpoints): void {
  const most = checkpoints === 'sqrt' ? MAX_CHECKPOINTED_STEPS : MAX_STEPS_BACK;
  if (steps <= most) return;
  const advice = checkpoints === 'sqrt' ? '' : ', or checkpoints';
  refuse(op, `a gradient through ${steps} steps: expected at most ${most}${advice}`);
}

/** Throws unless every number is finite. */
export function expectFinite(op: string, numbers: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (!Number.isFinite(value)) refuse(op, `${name} is ${value}: expected a finite number`);
  }
}

/** Throws unless every number is above 0 and finite. */
export function expectPositive(op: string, numbers: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (value > 0 && Number.isFinite(value)) continue;
    refuse(op, `${name} is ${value}: expected a positive number`);
  }
}

/** Throws unless every number is from 0 to 1. */
export function expectShares(op: string, numbers: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (value >= 0 && value <= 1) continue;
    refuse(op, `${name} is ${value}: expected a number from 0 to 1`);
  }
}

function refuse(op: string, message: string): never {
  throw new EngineError('invalid-setting', `${op}: ${message}`);
}
