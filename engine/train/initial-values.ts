import type { Parameter } from '../graph/parameters.ts';
import { wordCount } from '../graph/tensor.ts';
import { keyOf, philox } from '../random/philox.ts';

const INITIAL_STREAM = 0x494e4954;
const UNIT = 2 ** -32;

/**
 * The first values of a parameter. They depend on the seed and the parameter's name alone, so that
 * a model with one more block starts with the same values in the others.
 */
export function initialValues({ spec, value }: Parameter, seed: number): Float32Array {
  const values = new Float32Array(wordCount(value));
  const { initial } = spec;
  if (initial.kind === 'constant') return values.fill(initial.value);
  const key = keyOf(seed);
  const stream = nameHash(spec.name);
  const centre = initial.kind === 'uniform' ? (initial.centre ?? 0) : 0;
  for (let i = 0; i < values.length; i += 2) {
    const [a = 0, b = 0] = philox([i, stream, 0, INITIAL_STREAM], key);
    const pair = initial.kind === 'normal' ? normalPair(a, b) : ([signed(a), signed(b)] as const);
    const scale = initial.kind === 'normal' ? initial.deviation : initial.bound;
    values[i] = centre + pair[0] * scale;
    if (i + 1 < values.length) values[i + 1] = centre + pair[1] * scale;
  }
  return values;
}

/** Two independent standard normal numbers (Box & Muller 1958). */
function normalPair(a: number, b: number): readonly [number, number] {
  const radius = Math.sqrt(-2 * Math.log((a + 0.5) * UNIT));
  const angle = 2 * Math.PI * (b + 0.5) * UNIT;
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}

/** Uniform in (-1, 1). */
function signed(word: number): number {
  return 2 * (word + 0.5) * UNIT - 1;
}

/** FNV-1a, 32 bits. */
function nameHash(name: string): number {
  let hash = 0x811c9dc5;
  for (const character of name) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return hash >>> 0;
}
