import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './packed-app.ts';

/** A folder under examples/ that imports the package alone. */
export interface Program {
  readonly folder: string;
  /** Lines that it may have, without empty ones. */
  readonly most: number;
  /** The end of what it prints when it has done its work. */
  readonly prints: RegExp;
  /** An optional package that it needs, which Node alone can load. */
  readonly peer?: 'h5wasm';
}

/** Trains half a minute for a seed: `long-programs.full.test.ts` runs it. */
export const memoryProgram: Program = {
  folder: 'memory',
  most: 30,
  prints: /^recurrence and delays, seed (\d): (\d+\.\d) %[^]*\nneither, seed \1: (\d+\.\d) %/,
};

export const programs: readonly Program[] = [
  { folder: 'quickstart', most: 35, prints: /accuracy: (?:1|0\.9\d*),/ },
  {
    folder: 'from-snntorch',
    most: 60,
    prints: /^accuracy (?:9\d|100)\.\d %\n1600 50\nthe same scores\n1 example of spikes\n$/,
  },
  { folder: 'classifier', most: 20, prints: /^accuracy [89]\d\.\d %\n$/ },
  { folder: 'own-neuron', most: 20, prints: /\naccuracy (?:9\d|100)\.\d %\n$/ },
  { folder: 'own-loop', most: 35, prints: /accuracy: (?:1|0\.9\d*),\n/ },
  { folder: 'convolution', most: 25, prints: /\naccuracy (?:[89]\d|100)\.\d %\n$/ },
  { folder: 'local-learning', most: 25, prints: /^accuracy (?:9\d|100)\.\d %\n$/ },
  { folder: 'look-inside', most: 15, prints: /^\d+ and \d+ neurons fire\n$/ },
  { folder: 'serve', most: 15, prints: /^accuracy (?:9\d|100)\.\d %\n$/ },
  {
    folder: 'nir',
    most: 20,
    peer: 'h5wasm',
    prints:
      /isEqual: true,\n  tolerance[^]*membranes: [^]*\{ before: 0\.[0-4]\d*, accuracy: 0\.[89]\d*, isEqual: true \}\n$/,
  },
  {
    folder: 'text',
    most: 15,
    prints: /^step 1: [\d.]+ nats[^]*step 60: 0\.\d+ nats[^]*\n("[^\n]*"\n){80}$/,
  },
];

export const filesOf = ({ folder }: Program): readonly string[] =>
  readdirSync(join(root, 'examples', folder));

export function linesOf({ folder }: Program): number {
  const source = readFileSync(join(root, 'examples', folder, 'main.js'), 'utf8');
  return source.split('\n').filter((line) => line.trim() !== '').length;
}
