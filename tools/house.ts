import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Counts what docs/decisions/0035-house.md holds the code to: lines, import circles with types, small files
 * with one importer, exports without one.
 *
 *   node tools/house.ts            the figures
 *   node tools/house.ts circles    with every circle; so too small, exports
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const shown = process.argv[2];
const FOLDERS = ['engine', 'edge', 'web', 'compute', 'trainer', 'brain', 'shaders', 'examples'];
const SMALL_LINES = 30;

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(ts|tsx|mjs|wgsl|css)$/.test(file) && existsSync(join(root, file)));
const text = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const isScript = (file: string) => /\.(ts|tsx|mjs)$/.test(file);
const isProduct = (file: string) => FOLDERS.includes(file.split('/')[0] ?? '');
const linesOf = (file: string) => (text.get(file)?.match(/\n/g) ?? []).length;
const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);

interface Import {
  readonly to: string;
  /** Undefined where everything is imported. */
  readonly names: readonly string[] | undefined;
}

const STATEMENT =
  /(?:^|\n)\s*(?:import|export)\s+(?:type\s+)?([^'";=]*?)\s*from\s*'([^']+)'|import\s*\(\s*'([^']+)'|new URL\(\s*'(\.[^']+)'|(?:^|\n)import '([^']+)'/g;

const imports = new Map(files.filter(isScript).map((file) => [file, importsOf(file)]));

function importsOf(file: string): readonly Import[] {
  return Array.from((text.get(file) ?? '').matchAll(STATEMENT), (found): Import[] => {
    const [, clause, from, dynamic, address, bare] = found;
    const specifier = from ?? dynamic ?? address ?? bare ?? '';
    if (!specifier.startsWith('.')) return [];
    const to = normalize(join(dirname(file), specifier));
    if (!text.has(to)) return [];
    return [{ to, names: clause === undefined ? undefined : namesOf(clause) }];
  }).flat();
}

/** The names that a clause such as `{ a, type b as c }` takes from its module. */
function namesOf(clause: string): readonly string[] | undefined {
  if (clause.includes('*')) return undefined;
  return (/\{([^}]*)\}/.exec(clause)?.[1] ?? '')
    .split(',')
    .map(
      (name) =>
        name
          .trim()
          .replace(/^type\s+/, '')
          .split(/\s+as\s+/)[0] ?? '',
    )
    .filter((name) => name !== '');
}

/** Groups of modules that import each other in a circle (Tarjan, 1972). */
function circles(): readonly (readonly string[])[] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    low.set(file, index.size - 1);
    stack.push(file);
    for (const { to } of imports.get(file) ?? []) {
      if (!isScript(to)) continue;
      if (!index.has(to)) visit(to);
      if (stack.includes(to)) low.set(file, Math.min(low.get(file) ?? 0, low.get(to) ?? 0));
    }
    if (low.get(file) !== index.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1) found.push(group);
  };
  for (const file of imports.keys()) if (!index.has(file)) visit(file);
  return found;
}

function importers(): ReadonlyMap<string, ReadonlySet<string>> {
  const by = new Map<string, Set<string>>();
  for (const [file, all] of imports) {
    for (const { to } of all) by.set(to, (by.get(to) ?? new Set()).add(file));
  }
  return by;
}

/** Exported names, by file, that no other file imports. */
function unusedExports(): readonly string[] {
  const used = new Map<string, Set<string> | 'all'>();
  for (const { to, names } of [...imports.values()].flat()) {
    const before = used.get(to) ?? new Set();
    if (names === undefined || before === 'all') used.set(to, 'all');
    else used.set(to, new Set([...before, ...names]));
  }
  return files
    .filter((file) => isProduct(file) && isScript(file) && used.get(file) !== 'all')
    .flatMap((file) =>
      exportsOf(file)
        .filter((name) => !(used.get(file) as Set<string> | undefined)?.has(name))
        .map((name) => `${file} ${name}`),
    );
}

const DECLARED =
  /(?:^|\n)export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/g;

function exportsOf(file: string): readonly string[] {
  const source = text.get(file) ?? '';
  const declared = Array.from(source.matchAll(DECLARED), ([, name = '']) => name);
  const listed = Array.from(
    source.matchAll(/(?:^|\n)export (?:type )?\{([^}]*)\}/g),
    ([, list = '']) =>
      list.split(',').map(
        (name) =>
          name
            .trim()
            .replace(/^type\s+/, '')
            .split(/\s+as\s+/)
            .at(-1) ?? '',
      ),
  ).flat();
  return [...declared, ...listed.filter((name) => name !== '')];
}

const product = files.filter(isProduct);
const by = importers();
const small = product.filter(
  (file) => isScript(file) && linesOf(file) < SMALL_LINES && by.get(file)?.size === 1,
);
const allCircles = circles();
const unused = unusedExports();
const lengths = product
  .filter(isScript)
  .map(linesOf)
  .toSorted((a, b) => a - b);
const what = sum(
  product.map((file) => text.get(file)?.match(/\/\*\*\s+(?:\* )?What\b/g)?.length ?? 0),
);

for (const folder of FOLDERS) {
  const inside = product.filter((file) => file.startsWith(`${folder}/`));
  console.log(`${folder.padEnd(9)} ${sum(inside.map(linesOf))} lines, ${inside.length} files`);
}
console.log(
  `in all    ${sum(product.map(linesOf))} lines, ${product.length} files; median ${lengths[lengths.length >> 1]}`,
);
console.log(
  `circles   ${allCircles.length}, the largest of ${Math.max(0, ...allCircles.map((one) => one.length))} files`,
);
console.log(`small     ${small.length} files under ${SMALL_LINES} lines with one importer`);
console.log(`exports   ${unused.length} that no other file imports`);
console.log(`"What"    ${what} doc comments begin with it`);
if (shown === 'circles') for (const circle of allCircles) console.log(circle.join('\n  '));
if (shown === 'small') console.log(small.join('\n'));
if (shown === 'exports') console.log(unused.join('\n'));
