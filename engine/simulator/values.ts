import { type Limits, readArray, readNumber, readObject, refuse } from './parse-values.ts';
import type { Values } from './description.ts';

interface Wanted {
  /** How many there are to be where each has its own; undefined where that is not allowed. */
  readonly count: number | undefined;
  readonly limits?: Limits;
}

/** One number, a list with one for each, or a distribution. What is drawn may leave the limits only if normal. */
export function readValues(path: string, value: unknown, { count, limits = {} }: Wanted): Values {
  if (typeof value === 'number' || value === undefined) return readNumber(path, value, limits);
  if (Array.isArray(value)) return readList(path, value, { count, limits });
  const fields = readObject(path, value, ['uniform', 'normal']);
  const pairOf = (name: 'uniform' | 'normal') => readArray(`${path}.${name}`, fields[name]);
  if (fields['uniform'] !== undefined) {
    const [first, second] = pairOf('uniform');
    const low = readNumber(`${path}.uniform[0]`, first, limits);
    const high = readNumber(`${path}.uniform[1]`, second, { ...limits, least: low, isOpen: false });
    return { uniform: [low, high] };
  }
  const [first, second] = pairOf('normal');
  const mean = readNumber(`${path}.normal[0]`, first, limits);
  return { normal: [mean, readNumber(`${path}.normal[1]`, second, { least: 0 })] };
}

function readList(path: string, value: readonly unknown[], { count, limits }: Wanted): number[] {
  if (count === undefined) refuse(path, value, 'a number or a distribution');
  if (value.length !== count) refuse(`${path}.length`, value.length, String(count));
  return value.map((one, i) => readNumber(`${path}[${i}]`, one, limits));
}
