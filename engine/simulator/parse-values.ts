import { EngineError } from '../errors.ts';

/** What is read from a file or a form before anything is known of it. */
export type Unknowns = Readonly<Record<string, unknown>>;

/** Throws EngineError `invalid-setting`: `populations[0].count is 0: expected …`. */
export function refuse(path: string, value: unknown, expected: string): never {
  throw new EngineError('invalid-setting', `${path} is ${show(value)}: expected ${expected}`);
}

const LONGEST = 60;

function show(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'number') return String(value);
  const text = JSON.stringify(value) ?? String(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
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

export interface Limits {
  readonly least?: number;
  readonly most?: number;
  /** The least itself is not allowed. */
  readonly isOpen?: boolean;
  readonly isWhole?: boolean;
}

export function readNumber(path: string, value: unknown, limits: Limits = {}): number {
  const isNumber = typeof value === 'number' && Number.isFinite(value);
  if (isNumber && isWithin(value, limits)) return value;
  return refuse(path, value, describeLimits(limits));
}

function isWithin(value: number, { least, most, isOpen, isWhole }: Limits): boolean {
  if (isWhole && !Number.isInteger(value)) return false;
  if (most !== undefined && value > most) return false;
  return least === undefined || (isOpen ? value > least : value >= least);
}

function describeLimits({ least, most, isOpen, isWhole }: Limits): string {
  const kind = isWhole ? 'a whole number' : 'a finite number';
  const bounds = [
    ...(least === undefined ? [] : [isOpen ? `above ${least}` : `of at least ${least}`]),
    ...(most === undefined ? [] : [`at most ${most}`]),
  ];
  return [kind, bounds.join(' and ')].filter((part) => part !== '').join(' ');
}
