import { EngineError } from '../errors.ts';

/** Throws EngineError `invalid-setting` unless `value` is a finite number above 0. */
export function expectPositive(rule: string, name: string, value: number): void {
  if (Number.isFinite(value) && value > 0) return;
  throw refusal(rule, name, value, 'a finite number above 0');
}

/** Throws EngineError `invalid-setting` unless `value` is a finite number of at least 0. */
export function expectAtLeastZero(rule: string, name: string, value: number): void {
  if (Number.isFinite(value) && value >= 0) return;
  throw refusal(rule, name, value, 'a finite number of at least 0');
}

export function expectFinite(rule: string, name: string, value: number): void {
  if (Number.isFinite(value)) return;
  throw refusal(rule, name, value, 'a finite number');
}

export function expectCount(rule: string, name: string, value: number): void {
  if (Number.isInteger(value) && value > 0) return;
  throw refusal(rule, name, value, 'a whole number above 0');
}

function refusal(rule: string, name: string, value: number, expected: string): EngineError {
  return new EngineError('invalid-setting', `${rule}: ${name} is ${value}, expected ${expected}`);
}

/** Fraction that is left after a step of `dt` milliseconds, exp(-dt / tau). */
export function decayOf(rule: string, name: string, tau: number, dt: number): number {
  expectPositive(rule, name, tau);
  expectPositive(rule, 'dt', dt);
  return Math.exp(-dt / tau);
}
