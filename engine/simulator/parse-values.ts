import { EngineError } from '../errors.ts';
import type { PopulationSpec, Values } from './description.ts';

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

interface Limits {
  readonly min?: number;
  readonly max?: number;
  /** Excludes the minimum itself. */
  readonly isOpen?: boolean;
  readonly isWhole?: boolean;
}

interface ValuesOptions {
  /** Length of a list with a value for each; undefined if lists are not allowed. */
  readonly count: number | undefined;
  readonly limits?: Limits;
}

/** The fields of an unvalidated object, which has no other keys than the given ones. */
export class FieldReader {
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #prefix: string;

  constructor(path: string, value: unknown, keys: readonly string[], prefix = `${path}.`) {
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
    this.#fields = value as Readonly<Record<string, unknown>>;
    this.#prefix = prefix;
  }

  value(name: string): unknown {
    return this.#fields[name];
  }

  path(name: string): string {
    return this.#prefix + name;
  }

  refuse(name: string, expected: string): never {
    refuse(this.path(name), this.#fields[name], expected);
  }

  /** A field that may be left out, as an object with that field or without. */
  optional<K extends string, T>(name: K, read: (name: K) => T): { readonly [P in K]?: T } {
    if (this.#fields[name] === undefined) return {};
    return { [name]: read(name) } as { [P in K]: T };
  }

  text(name: string): string {
    const value = this.#fields[name];
    return typeof value === 'string' && value !== '' ? value : this.refuse(name, 'a text');
  }

  flag(name: string): boolean {
    const value = this.#fields[name];
    return typeof value === 'boolean' ? value : this.refuse(name, 'true or false');
  }

  number(name: string, limits: Limits = {}, initial?: number): number {
    return readNumber(this.path(name), this.#fields[name] ?? initial, limits);
  }

  list<T>(name: string, read: (path: string, value: unknown) => T): T[] {
    return readArray(this.path(name), this.#fields[name]).map((one, i) =>
      read(`${this.path(name)}[${i}]`, one),
    );
  }

  indices(name: string, count: number): number[] {
    return this.list(name, (path, value) => readNumber(path, value, below(count)));
  }

  values(name: string, options: ValuesOptions): Values {
    return readValues(this.path(name), this.#fields[name], options);
  }

  population(name: string, populations: readonly PopulationSpec[]): PopulationSpec {
    const found = populations.find((population) => population.name === this.#fields[name]);
    const names = populations.map((population) => population.name).join(', ');
    return found ?? this.refuse(name, `a population: ${names}`);
  }
}

/** Limits of an index. */
export const below = (count: number): Limits => ({ min: 0, max: count - 1, isWhole: true });

export function readArray(path: string, value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : refuse(path, value, 'a list');
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

/** One number, a list with one for each, or a distribution. Only normal draws may exceed the limits. */
function readValues(path: string, value: unknown, { count, limits = {} }: ValuesOptions): Values {
  if (typeof value === 'number' || value === undefined) return readNumber(path, value, limits);
  if (Array.isArray(value)) {
    if (count === undefined) refuse(path, value, 'a number or a distribution');
    if (value.length !== count) refuse(`${path}.length`, value.length, String(count));
    return value.map((one, i) => readNumber(`${path}[${i}]`, one, limits));
  }
  const fields = new FieldReader(path, value, ['uniform', 'normal']);
  const name = fields.value('uniform') === undefined ? 'normal' : 'uniform';
  const [first, second] = readArray(fields.path(name), fields.value(name));
  const start = readNumber(`${path}.${name}[0]`, first, limits);
  const end = name === 'normal' ? { min: 0 } : { ...limits, min: start, isOpen: false };
  const pair = [start, readNumber(`${path}.${name}[1]`, second, end)] as const;
  return name === 'normal' ? { normal: pair } : { uniform: pair };
}
