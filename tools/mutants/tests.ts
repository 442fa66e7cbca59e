import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';

/** Tests to try on a fault, as arguments of `npm test`. */
export interface Trial {
  readonly test: string;
  /** Of the names of its tests, where only some are meant. */
  readonly only?: string;
  /** How many files it reaches: what it costs, roughly. */
  readonly reach: number;
  /** Whether it needs what `npm test` builds first: WASM kernels, the bundle of the commands. */
  readonly isBuilt: boolean;
}

/** Compiling shaders or all of AssemblyScript takes as long as tests that import this many files. */
const KERNEL_REACH = 200;
const KERNELS = 'tests/engine/kernels.test.ts';
const KERNEL_FILE = /^shaders\/|\/assembly\//;

/** Any quoted path counts: tests start processes and bundles by the name of their first module. */
const QUOTED = /'([\w@./-]+\.(?:tsx?|mjs|toml))'/g;
const WORKER = 'edge/worker.ts';
const COMMANDS = 'compute/cli/program.ts';
const SLOW = [WORKER, COMMANDS];
const ENTRIES: Readonly<Record<string, string>> = {
  'wrangler.toml': WORKER,
  'dist/node/spikegrid.js': COMMANDS,
};

/** Finds the tests that reach a file, those that lie nearest and import least first. */
export function createTestFinder(root: string, files: readonly string[]) {
  const imports = new Map<string, readonly string[]>();
  const importsOf = (file: string): readonly string[] => {
    const known = imports.get(file) ?? readImports(root, file);
    imports.set(file, known);
    return known;
  };
  const reached = new Map(
    files.filter(isTest).map((test) => [test, distancesFrom(test, importsOf)]),
  );

  const kernels = kernelNames(root, files);

  function trialsOf(file: string, line: number): readonly Trial[] {
    if (KERNEL_FILE.test(file)) return kernelTrial(file, line);
    return [...reached]
      .flatMap(([test, distances]) => {
        const distance = distances.get(file);
        if (distance === undefined) return [];
        const isSlow = SLOW.some((one) => distances.has(one));
        const isBuilt = test.startsWith('tests/compute/') && distances.has(COMMANDS);
        const cost =
          distance + Math.log2(distances.size) - 3 * kinship(file, test) + (isSlow ? 4 : 0);
        return [{ test, reach: distances.size, isBuilt, cost }];
      })
      .toSorted((a, b) => a.cost - b.cost);
  }

  /** A shader has the name of its kernel or begins with it, a function of AssemblyScript has it. */
  function kernelTrial(file: string, line: number): readonly Trial[] {
    const isShader = file.startsWith('shaders/');
    const stem = isShader ? basename(file, '.wgsl') : functionAt(root, file, line);
    const kernel = kernels.filter((one) => `${stem}_`.startsWith(`${one}_`)).at(-1);
    if (kernel === undefined) return [];
    const only = `^${isShader ? 'webgpu' : 'wasm, plain, 1'}.* ${kernel} `;
    return [{ test: KERNELS, only, reach: KERNEL_REACH, isBuilt: !isShader }];
  }

  const isReached = (file: string) =>
    KERNEL_FILE.test(file) || [...reached.values()].some((distances) => distances.has(file));
  return { trialsOf, isReached };
}

const isTest = (file: string) => /\.test\.tsx?$/.test(file) && !file.startsWith('tests/full/');

function readImports(root: string, file: string): readonly string[] {
  if (!/\.(?:tsx?|mjs)$/.test(file)) return [];
  const source = readFileSync(join(root, file), 'utf8');
  return Array.from(source.matchAll(QUOTED), ([, path = '']) => {
    const near = normalize(join(dirname(file), path));
    return [near, path, ENTRIES[path] ?? ''].filter(
      (one) => one !== '' && !one.startsWith('.') && existsSync(join(root, one)),
    );
  }).flat();
}

function distancesFrom(test: string, importsOf: (file: string) => readonly string[]) {
  const distances = new Map([[test, 0]]);
  // A map is iterated in the order of insertion, what is added on the way too: breadth first.
  for (const [file, distance] of distances) {
    for (const to of importsOf(file)) if (!distances.has(to)) distances.set(to, distance + 1);
  }
  return distances;
}

/** How many words the names of two files share, without their endings. */
function kinship(a: string, b: string): number {
  const others = wordsOf(b);
  return wordsOf(a).filter((word) => others.includes(word)).length;
}

function wordsOf(path: string): readonly string[] {
  const words = path.toLowerCase().replace(/\..*/, '').split(/[/-]/);
  return [...new Set(words.map((word) => word.replace(/s$/, '')))];
}

/** The name of the exported function that a line lies in. */
function functionAt(root: string, file: string, line: number): string {
  const before = readFileSync(join(root, file), 'utf8')
    .split('\n')
    .slice(0, line + 1);
  return (
    before
      .join('\n')
      .match(/(?<=\nexport function )\w+/g)
      ?.at(-1) ?? ''
  );
}

/** The kernels that have cases, shorter names first. */
function kernelNames(root: string, files: readonly string[]): readonly string[] {
  return files
    .filter((file) => file.startsWith('tests/engine/kernel-cases/'))
    .flatMap(
      (file) => readFileSync(join(root, file), 'utf8').match(/(?<=\n  )[a-z]\w*(?=[:,(])/g) ?? [],
    )
    .toSorted((a, b) => a.length - b.length);
}
