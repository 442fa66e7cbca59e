import { EngineError } from '../errors.ts';
import type { PopulationSpec, Values } from './description.ts';

/** Fields of an unvalidated object. */
export type Unknowns = Readonly<Record<string, unknown>>;

/** Throws EngineError `invalid-setting`: `populations[0].count is 0: expected …`. */
export function refuse(path: string, value: unknown, expected: string): never {
  throw new EngineError('invalid-setting', `${path} is ${show(value)}: expected ${expected}`);
}

const MAX_LENGTH = 60;

function show(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'number') return String(value);
  const text = JSON.stringify(value) ?? String(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/** An object with no other keys than these. */
export function readObject(path: string, value: unknown, keys: readonly string[]): Unknowns {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    refuse(path, value, 'an object');
  }
  const stray = Object.keys(value).find((key) => !keys.includes(key));
  if (stray !== undefined) {
    throw new EngineError(
      'invalid-setting',
      `${path} has "${stray}": expected nothing but ${keys.join(', ')}`,
    );
  }
  // A value that is an object and no array has string keys.
  return value as Unknowns;
}

export function readArray(path: string, value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : refuse(path, value, 'a list');
}

export function readText(path: string, value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : refuse(path, value, 'a text');
}

interface Limits {
  readonly min?: number;
  readonly max?: number;
  /** Excludes the minimum itself. */
  readonly isOpen?: boolean;
  readonly isWhole?: boolean;
}

export function readNumber(path: string, value: unknown, limits: Limits = {}): number {
  const isNumber = typeof value === 'number' && Number.isFinite(value);
  if (isNumber && isWithin(value, limits)) return value;
  return refuse(path, value, describeLimits(limits));
}

function isWithin(value: number, { min, max, isOpen, isWhole }: Limits): boolean {
  if (isWhole && !Number.isInteger(value)) return false;
  if (max !== undefined && value > max) return false;
  return min === undefined || (isOpen ? value > min : value >= min);
}

function describeLimits({ min, max, isOpen, isWhole }: Limits): string {
  const kind = isWhole ? 'a whole number' : 'a finite number';
  const bounds = [
    ...(min === undefined ? [] : [isOpen ? `above ${min}` : `of at least ${min}`]),
    ...(max === undefined ? [] : [`at most ${max}`]),
  ];
  return [kind, bounds.join(' and ')].filter((part) => part !== '').join(' ');
}

interface Wanted {
  /** How many there are to be where each has its own; undefined where that is not allowed. */
  readonly count: number | undefined;
  readonly limits?: Limits;
}

/**
 * One number, a list with one for each, or a distribution. Only draws from a normal distribution may exceed
 * the limits.
 */
export function readValues(path: string, value: unknown, { count, limits = {} }: Wanted): Values {
  if (typeof value === 'number' || value === undefined) return readNumber(path, value, limits);
  if (Array.isArray(value)) return readList(path, value, { count, limits });
  const fields = readObject(path, value, ['uniform', 'normal']);
  const pairOf = (name: 'uniform' | 'normal') => readArray(`${path}.${name}`, fields[name]);
  if (fields['uniform'] !== undefined) {
    const [first, second] = pairOf('uniform');
    const low = readNumber(`${path}.uniform[0]`, first, limits);
    const high = readNumber(`${path}.uniform[1]`, second, { ...limits, min: low, isOpen: false });
    return { uniform: [low, high] };
  }
  const [first, second] = pairOf('normal');
  const mean = readNumber(`${path}.normal[0]`, first, limits);
  return { normal: [mean, readNumber(`${path}.normal[1]`, second, { min: 0 })] };
}

function readList(path: string, value: readonly unknown[], { count, limits }: Wanted): number[] {
  if (count === undefined) refuse(path, value, 'a number or a distribution');
  if (value.length !== count) refuse(`${path}.length`, value.length, String(count));
  return value.map((one, i) => readNumber(`${path}[${i}]`, one, limits));
}

/** A population by its name. */
export function readPopulation(
  path: string,
  value: unknown,
  populations: readonly PopulationSpec[],
): PopulationSpec {
  const found = populations.find(({ name }) => name === value);
  return (
    found ?? refuse(path, value, `a population: ${populations.map(({ name }) => name).join(', ')}`)
  );
}
