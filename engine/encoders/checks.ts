import { EngineError } from '../errors.ts';

/** Throws EngineError `invalid-setting` unless T is a whole number of at least 1. */
export function expectSteps(encoder: string, steps: number): void {
  if (Number.isInteger(steps) && steps >= 1) return;
  refuseSetting(`${encoder}: T is ${steps} steps: expected a whole number of at least 1`);
}

/** Throws unless `value` is a number from `low` to `high`. */
export function expectWithin(
  name: string,
  value: number,
  [low, high]: readonly [low: number, high: number],
): void {
  if (value >= low && value <= high) return;
  refuseSetting(`${name} is ${value}: expected a number from ${low} to ${high}`);
}

export function expectPositive(name: string, value: number): void {
  if (value > 0 && Number.isFinite(value)) return;
  refuseSetting(`${name} is ${value}: expected a positive number`);
}

export function refuseSetting(message: string): never {
  throw new EngineError('invalid-setting', message);
}

/** Throws EngineError `signal-invalid`, naming the first value outside [0, 1] and where it is. */
export function expectIntensities(encoder: string, values: Float32Array): void {
  const at = values.findIndex((x) => !(x >= 0 && x <= 1));
  if (at < 0) return;
  throw new EngineError(
    'signal-invalid',
    `${encoder}: value ${at} is ${values[at]}: expected a number from 0 to 1`,
  );
}

/** Throws EngineError `signal-invalid`, naming the first value that is no finite number. */
export function expectFinite(encoder: string, values: Float32Array): void {
  const at = values.findIndex((x) => !Number.isFinite(x));
  if (at < 0) return;
  throw new EngineError(
    'signal-invalid',
    `${encoder}: value ${at} is ${values[at]}: expected a finite number`,
  );
}
