import { withLoggerAsync } from 'wesl';
import { createLinker, type Linker } from './link.ts';
import type { Piece, Template } from './template.ts';

/** A kernel with more conditions than this has too many variants to link them all. */
const MAX_CONDITIONS = 12;

/** Files that shaders made from equations call: they need no constants. */
const CALLED: ReadonlySet<string> = new Set(['lib/angle.wgsl', 'lib/philox.wgsl']);

/** Variants that make no shader are tried as well; the linker would print each. */
const silent = () => undefined;

/**
 * The template of every kernel, by its path without `.wgsl`: all variants that its conditions can make
 * are linked, and what they share is kept once. So a page needs no linker, and has the same text.
 */
export async function makeTemplates(
  sources: Readonly<Record<string, string>>,
): Promise<Record<string, Template>> {
  const link = createLinker(sources);
  const kernels = Object.keys(sources).filter(
    (path) => !path.startsWith('lib/') || CALLED.has(path),
  );
  const templates: Record<string, Template> = {};
  await withLoggerAsync(silent, async () => {
    for (const file of kernels.toSorted()) {
      const path = file.slice(0, -'.wgsl'.length);
      templates[path] = await templateOf(path, namesIn(sources, file), link);
    }
  });
  return templates;
}

interface Names {
  readonly conditions: readonly string[];
  readonly constants: readonly string[];
}

async function templateOf(path: string, names: Names, link: Linker): Promise<Template> {
  if (names.conditions.length > MAX_CONDITIONS) {
    throw new Error(
      `shaders/${path}.wgsl depends on ${names.conditions.length} conditions, expected at most ${MAX_CONDITIONS}`,
    );
  }
  const marks = marksFor(names.constants);
  let failure: unknown;

  /** Conditions that make no shader together, such as two surrogates, leave the choice to the others. */
  async function decide(
    open: readonly string[],
    conditions: Readonly<Record<string, boolean>>,
  ): Promise<Template | undefined> {
    const [condition, ...others] = open;
    if (condition === undefined) {
      const linked = link({ path, constants: marks.constants, conditions });
      return linked.then(
        (text) => plainLines(marks.toHoles(text)),
        (error: unknown) => void (failure = error),
      );
    }
    const whenSet = await decide(others, { ...conditions, [condition]: true });
    const otherwise = await decide(others, conditions);
    return whenSet && otherwise ? merge(condition, whenSet, otherwise) : (whenSet ?? otherwise);
  }

  const template = await decide(names.conditions, {});
  if (!template) throw new Error(`shaders/${path}.wgsl does not link`, { cause: failure });
  return template;
}

/** Numbers that stand for the constants while a kernel is linked: the linker takes nothing else. */
function marksFor(constants: readonly string[]) {
  const first = 987_650_000;
  return {
    constants: Object.fromEntries(constants.map((name, index) => [name, first + index])),
    toHoles: (text: string) =>
      text.replaceAll(/\b98765\d{4}\b/g, (mark) => {
        const name = constants[Number(mark) - first];
        return name === undefined ? mark : `$${name}$`;
      }),
  };
}

/** The conditions and constants that a file and those it imports name. */
function namesIn(sources: Readonly<Record<string, string>>, file: string): Names {
  const seen = new Set<string>();
  const open = [file];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const [, module = ''] of codeOf(sources, path).matchAll(/^import package::([\w:]+)::/gm)) {
      open.push(`${module.replaceAll('::', '/')}.wgsl`);
    }
  }
  const text = [...seen].map((path) => codeOf(sources, path)).join('\n');
  const conditions = [...text.matchAll(/@(?:el)?if\s*\(((?:[^()]|\([^()]*\))*)\)/g)].flatMap(
    ([, test = '']) => test.match(/\w+/g) ?? [],
  );
  const constants = [...text.matchAll(/\bconstants::(?:\{([^}]*)\}|(\w+))/g)].flatMap(
    ([, several, one = '']) => (several ?? one).match(/\w+/g) ?? [],
  );
  return { conditions: unique(conditions), constants: unique(constants) };
}

function codeOf(sources: Readonly<Record<string, string>>, path: string): string {
  const source = sources[path];
  if (source === undefined) throw new Error(`there is no shaders/${path}`);
  return source.replaceAll(/\/\/.*$/gm, '');
}

const unique = (names: readonly string[]) => [...new Set(names)].toSorted();

/** Lines without comments and indentation, none of them empty. */
export function plainLines(text: string): string[] {
  const lines = text.split('\n').map((line) => line.replace(/\/\/.*$/, '').trim());
  return lines.filter((line) => line !== '');
}

/** One template for both values of a condition: what is equal stands once. */
function merge(condition: string, whenSet: Template, otherwise: Template): Template {
  const [keysSet, keysOther] = [whenSet.map(keyOf), otherwise.map(keyOf)];
  const common = commonRuns(keysSet, keysOther);
  const merged: Piece[] = [];
  let [set, other] = [0, 0];
  for (const [atSet, atOther] of [...common, [whenSet.length, otherwise.length] as const]) {
    const [left, right] = [whenSet.slice(set, atSet), otherwise.slice(other, atOther)];
    if (left.length + right.length > 0) merged.push([condition, left, right]);
    const same = whenSet[atSet];
    if (same !== undefined) merged.push(same);
    [set, other] = [atSet + 1, atOther + 1];
  }
  return merged;
}

const keyOf = (piece: Piece) => (typeof piece === 'string' ? piece : JSON.stringify(piece));

/** The places of a longest common subsequence, in order. */
function commonRuns(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  const width = b.length + 1;
  // lengths[i * width + j]: of the longest subsequence that a[i..] and b[j..] have in common
  const lengths = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const longest = Math.max(at(i + 1, j), at(i, j + 1));
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : longest;
    }
  }
  const places: (readonly [number, number])[] = [];
  for (let [i, j] = [0, 0]; i < a.length && j < b.length;) {
    if (a[i] === b[j]) places.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return places;
}
