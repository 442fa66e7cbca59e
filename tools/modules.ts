import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The folders of the product. */
export const FOLDERS: readonly string[] = [
  'engine',
  'edge',
  'web',
  'compute',
  'trainer',
  'brain',
  'shaders',
  'examples',
];

/** Every source file of the repository, tests and tools among them. */
export const files: readonly string[] = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard'],
  { cwd: root, encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => /\.(ts|tsx|mjs|wgsl|css)$/.test(file) && existsSync(join(root, file)));

export const read = (file: string): string => readFileSync(join(root, file), 'utf8');
export const text: ReadonlyMap<string, string> = new Map(files.map((file) => [file, read(file)]));
export const isScript = (file: string): boolean => /\.(ts|tsx|mjs)$/.test(file);
/** Whether it is part of the product: no test, no tool. */
export const isProduct = (file: string): boolean => FOLDERS.includes(file.split('/')[0] ?? '');

/** Names that one file takes from another, or whatever it exports. */
export interface Import {
  readonly to: string;
  readonly names: readonly string[] | 'all';
  /** Whether the names are exported again under the same names: `export * from`. */
  readonly isPassedOn?: boolean;
}

const STATEMENT = /(?:^|\n)\s*(import|export)\s+(?:type\s+)?([^'";=]*?)\s*from\s*'([^']+)'/g;
const LOADED =
  /(?:(?:const|let)\s+(\{[^}]*\}|\w+)[^=;]*=\s*)?(?:await\s+)?(?<![.\w])import\(\s*(['`])(\.[^'`]+)\2\s*\)(?:\)?\s*\.(\w+))?(?:\(\(\{([^}]*)\}\))?/g;
/** Run for their effect: nothing is taken from them. */
const RUN = /new URL\(\s*'(\.[^']+)'|(?:^|\n)import '([^']+)'/g;

/** Files that are loaded by pattern, with all that they export. */
const GLOB = /import\.meta\.glob\(\s*'([^']+)'/g;

const aliases = new Map<string, readonly string[]>(
  Object.entries(JSON.parse(read('package.json')).imports as Record<string, object>).map(
    ([alias, targets]) => [alias, Object.values(targets).map((to: string) => normalize(to))],
  ),
);

/** Imports of every script, by file. */
export const imports: ReadonlyMap<string, readonly Import[]> = new Map(
  files.filter(isScript).map((file) => [file, importsOf(file)]),
);

function importsOf(file: string): readonly Import[] {
  const source = text.get(file) ?? '';
  const named = Array.from(source.matchAll(STATEMENT), ([, word, clause = '', from = '']) => {
    const names = namesOf(clause, source);
    const isPassedOn = word === 'export' && clause.trim() === '*';
    return targetsOf(file, from).map((to): Import => ({ to, names, isPassedOn }));
  });
  const loaded = Array.from(
    source.matchAll(LOADED),
    ([, bound, , from = '', member, given]): Import[] => {
      const names = namesLoaded(source, { bound, member, given });
      return targetsOf(file, from).map((to) => ({ to, names }));
    },
  );
  const run = Array.from(source.matchAll(RUN), ([, address, bare]) =>
    targetsOf(file, address ?? bare ?? '').map((to): Import => ({ to, names: [] })),
  );
  const globbed = Array.from(source.matchAll(GLOB), ([, pattern = '']) =>
    targetsOf(file, pattern).map((to): Import => ({ to, names: 'all' })),
  );
  return [...named, ...loaded, ...run, ...globbed].flat();
}

/** The files that a specifier means: several for an alias of package.json and for a path with `${…}` or `*`. */
function targetsOf(file: string, specifier: string): readonly string[] {
  const known = aliases.get(specifier);
  if (known) return known;
  if (!specifier.startsWith('.')) return [];
  const path = normalize(join(dirname(file), specifier));
  const parts = path.split(/(\*\*\/|\*|\$\{[^}]*\})/);
  if (parts.length > 1) {
    const pattern = parts.map((part, i) => {
      if (i % 2 === 0) return part.replaceAll(/[^\w/-]/g, '\\$&');
      return part === '**/' ? '(?:.+/)?' : '[^/]+';
    });
    const wanted = new RegExp(`^${pattern.join('')}$`);
    return files.filter((other) => wanted.test(other));
  }
  // AssemblyScript leaves the ending out.
  return [path, `${path}.ts`].filter((target) => text.has(target)).slice(0, 1);
}

/** The names that a clause such as `{ a, type b as c }` or `* as all` takes from its module. */
function namesOf(clause: string, source: string): readonly string[] | 'all' {
  const [, space] = /\*\s+as\s+(\w+)/.exec(clause) ?? [];
  if (space !== undefined) return membersOf(space, source);
  if (clause.includes('*')) return [];
  return listed(/\{([^}]*)\}/.exec(clause)?.[1] ?? '').map(([name]) => name);
}

interface Loaded {
  /** The name or pattern that the module is bound to. */
  readonly bound: string | undefined;
  /** The member that is read of it at once. */
  readonly member: string | undefined;
  /** The pattern that `then` gives it to. */
  readonly given: string | undefined;
}

function namesLoaded(source: string, { bound, member, given }: Loaded): readonly string[] | 'all' {
  if (given !== undefined) return listed(given).map(([name]) => name);
  if (member !== undefined && member !== 'then') return [member];
  if (bound?.startsWith('{')) return listed(bound.slice(1, -1)).map(([name]) => name);
  // One that is bound to no name is returned, and read elsewhere.
  return bound === undefined ? 'all' : membersOf(bound, source);
}

/** The members of a module that are read by name; all where it is passed on whole. */
function membersOf(space: string, source: string): readonly string[] | 'all' {
  const uses = [...source.matchAll(new RegExp(`(?<![.\\w])${space}\\b(?:\\.(\\w+))?`, 'g'))];
  const names = uses.map(([, name]) => name);
  // One of them is the import itself.
  const isWhole = names.filter((name) => name === undefined).length > 1;
  return isWhole ? 'all' : names.filter((name) => name !== undefined);
}

/** The pairs of a list such as `a, type b as c` or `a: b`: the name outside, the name inside. */
export function listed(list: string): readonly (readonly [string, string])[] {
  return list
    .split(',')
    .map((name) => name.trim().replace(/^type\s+/, ''))
    .filter((name) => name !== '')
    .map((name) => {
      const [first = '', last = first] = name.split(/\s+as\s+|\s*:\s*/);
      return [first, last] as const;
    });
}
