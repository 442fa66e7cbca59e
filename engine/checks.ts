import { EngineError } from './errors.ts';

/* Checks of settings and signals: the message names the op, the setting, its value and what was expected. */

export function refuseSetting(message: string): never {
  throw new EngineError('invalid-setting', message);
}

/** Throws EngineError `invalid-setting` unless `value` is a finite number above 0. */
export function expectPositive(op: string, name: string, value: number): void {
  expectThat(
    Number.isFinite(value) && value > 0,
    op,
    `${name} is ${value}: expected a positive number`,
  );
}

/** Throws EngineError `invalid-setting` unless `value` is a finite number of at least 0. */
export function expectNonNegative(op: string, name: string, value: number): void {
  const expected = 'a finite number of at least 0';
  expectThat(Number.isFinite(value) && value >= 0, op, `${name} is ${value}: expected ${expected}`);
}

export function expectFinite(op: string, name: string, value: number): void {
  expectThat(Number.isFinite(value), op, `${name} is ${value}: expected a finite number`);
}

/** Throws EngineError `invalid-setting` unless `value` is a whole number of at least `min`. */
export function expectCount(op: string, name: string, value: number, min = 1): void {
  const isCount = Number.isInteger(value) && value >= min;
  expectThat(isCount, op, `${name} is ${value}: expected a whole number of at least ${min}`);
}

/** Throws EngineError `invalid-setting` unless `value` lies between `low` and `high`, both included. */
export function expectWithin(
  op: string,
  name: string,
  value: number,
  [low, high]: readonly [low: number, high: number],
): void {
  const isWithin = value >= low && value <= high;
  expectThat(isWithin, op, `${name} is ${value}: expected a number from ${low} to ${high}`);
}

function expectThat(holds: boolean, op: string, message: string): void {
  if (!holds) refuseSetting(`${op}: ${message}`);
}

/** Throws EngineError `signal-invalid`, naming the first value outside [0, 1] and its index. */
export function expectIntensities(op: string, values: Float32Array): void {
  expectValues(op, values, (x) => x >= 0 && x <= 1, 'a number from 0 to 1');
}

/** Throws EngineError `signal-invalid`, naming the first value that is not finite and its index. */
export function expectFiniteValues(op: string, values: Float32Array): void {
  expectValues(op, values, Number.isFinite, 'a finite number');
}

function expectValues(
  op: string,
  values: Float32Array,
  isValid: (value: number) => boolean,
  expected: string,
): void {
  const at = values.findIndex((value) => !isValid(value));
  if (at < 0) return;
  throw new EngineError(
    'signal-invalid',
    `${op}: value ${at} is ${values[at]}: expected ${expected}`,
  );
}

/** Fraction of a leaking quantity that is left after a step of `dt`, exp(-dt / tau); both in milliseconds. */
export function decayOf(op: string, name: string, tau: number, dt: number): number {
  expectPositive(op, name, tau);
  expectPositive(op, 'dt', dt);
  return Math.exp(-dt / tau);
}
