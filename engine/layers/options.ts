import { EngineError } from '../errors.ts';
import { SURROGATES, type Surrogate } from '../kernels/neurons.ts';
import type { LayerOptions, Shape, Site } from './layer.ts';
import { shapeText } from './layer.ts';

/** Neurons and features beyond which tracing would not end in reasonable time. */
const MAX_COUNT = 1 << 24;
const MAX_STEPS = 1 << 16;

/** The options that were given, in the order of `names`. Throws EngineError for one that there is not. */
export function givenOptions<T extends object>(
  kind: string,
  options: T,
  names: readonly (string & keyof T)[],
): LayerOptions {
  if (typeof options !== 'object' || options === null) {
    throw refused(kind, `the options are ${String(options)}: expected an object`);
  }
  const unknown = Object.keys(options).find((name) => !names.includes(name as never));
  if (unknown !== undefined) {
    throw refused(kind, `there is no option "${unknown}": expected ${names.join(', ')}`);
  }
  const given = names.filter((name) => options[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, options[name]]));
}

/** A whole number from 1 on. Throws EngineError `invalid-setting` otherwise. */
export function countOf(kind: string, name: string, value: unknown, most = MAX_COUNT): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most) {
    return value;
  }
  throw refused(kind, `${name} is ${text(value)}: expected a whole number from 1 to ${most}`);
}

export const stepsOf = (kind: string, value: unknown): number =>
  countOf(kind, 'steps', value, MAX_STEPS);

/** Bounds of a number: `from` and `to` belong to the range, `above` and `below` do not. */
interface Range {
  readonly above?: number;
  readonly from?: number;
  readonly below?: number;
  readonly to?: number;
}

const IS_WITHIN: Readonly<Record<keyof Range, (value: number, bound: number) => boolean>> = {
  above: (value, bound) => value > bound,
  from: (value, bound) => value >= bound,
  below: (value, bound) => value < bound,
  to: (value, bound) => value <= bound,
};

/** A finite number in a range. Throws EngineError `invalid-setting` otherwise. */
export function numberOf(kind: string, name: string, value: unknown, range: Range = {}): number {
  const bounds = Object.entries(range) as (readonly [keyof Range, number])[];
  const isWithin = (number: number) => bounds.every(([word, at]) => IS_WITHIN[word](number, at));
  if (typeof value === 'number' && Number.isFinite(value) && isWithin(value)) return value;
  const expected = ['a finite number', ...bounds.map(([word, bound]) => `${word} ${bound}`)].join(
    ' ',
  );
  throw refused(kind, `${name} is ${text(value)}: expected ${expected}`);
}

export function surrogateOf(kind: string, value: unknown): Surrogate {
  return choiceOf(kind, 'surrogate', value, SURROGATES);
}

export function choiceOf<const T extends string>(
  kind: string,
  name: string,
  value: unknown,
  choices: readonly T[],
): T {
  const found = choices.find((one) => one === value);
  if (found !== undefined) return found;
  throw refused(kind, `${name} is ${text(value)}: expected ${choices.join(', ')}`);
}

export function switchOf(kind: string, name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw refused(kind, `${name} is ${text(value)}: expected true or false`);
}

/** Throws EngineError `shape-mismatch` that names the layer, the given shape and what it expected. */
export function wrongShape({ title }: Site, given: Shape, expected: string): EngineError {
  return new EngineError(
    'shape-mismatch',
    `${title} is given the shape ${shapeText(given)}: expected ${expected}`,
  );
}

export const refused = (kind: string, what: string): EngineError =>
  new EngineError('invalid-setting', `${kind}: ${what}`);

function text(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : String(value);
}

/** A whole number from 0 to 2^53 - 1. Throws EngineError `invalid-setting` otherwise. */
export function seedOf(seed: unknown): number {
  if (typeof seed === 'number' && Number.isSafeInteger(seed) && seed >= 0) return seed;
  throw new EngineError(
    'invalid-setting',
    `seed is ${text(seed)}: expected a whole number from 0 to 2^53 - 1`,
  );
}
