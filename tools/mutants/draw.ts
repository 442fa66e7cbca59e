import { contextOf, type Fault } from './lines.ts';
import { isFelt, maskedLines, sitesOf } from './operators.ts';

/** How many of a hundred faults are drawn where; shaders and AssemblyScript count apart. */
const SHARES = { engine: 30, edge: 30, compute: 14, web: 14, wgsl: 7, assembly: 5 };
export const AREAS = Object.keys(SHARES);

/** Strings of pages, documentation and examples of endpoints. */
const LEFT_OUT =
  /^web\/i18n\/|\/(?:en|ja)(?:-[\w-]+)?\.ts$|\.d\.ts$|example|docs\.ts$|endpoints\.ts$|\/openapi\/|api-description/;

export interface Sources {
  readonly files: readonly string[];
  readonly read: (file: string) => string;
  /** Whether any test can notice a fault in this file. */
  readonly isReached: (file: string) => boolean;
}

/** Draws faults by number: each depends on nothing but the seed, its number and the tree. */
export function createDraw(seed: number, { files, read, isReached }: Sources) {
  const bag = Object.entries(SHARES).flatMap(([area, share]) => Array<string>(share).fill(area));
  const lines = new Map(AREAS.map((area) => [area, linesOf(area)]));

  /** The lines of an area that can be given a fault. */
  function linesOf(area: string) {
    return files
      .filter((file) => areaOf(file) === area && !LEFT_OUT.test(file) && isReached(file))
      .flatMap((file) =>
        maskedLines(read(file)).flatMap((masked, line) =>
          sitesOf(masked, masked).length > 0 ? [{ file, line }] : [],
        ),
      );
  }

  return function draw(id: number): Fault | undefined {
    const random = createRandom(seed * 1_000_003 + id);
    const one = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)];
    const area = one(bag) ?? '';
    const { file, line } = one(lines.get(area) ?? []) ?? { file: '', line: 0 };
    if (file === '') return undefined;
    const source = read(file);
    const all = source.split('\n');
    const text = all[line] ?? '';
    const site = one(sitesOf(text, maskedLines(source)[line] ?? ''));
    if (!site || !isFelt(file, source, all.with(line, site.faulty).join('\n'))) return undefined;
    return { id, area, file, line, text, ...contextOf(all, line), ...site };
  };
}

function areaOf(file: string): string {
  if (file.endsWith('.wgsl')) return 'wgsl';
  return file.includes('/assembly/') ? 'assembly' : (file.split('/')[0] ?? '');
}

/** Folders that an area's code may have moved to count as well. */
export function isProduct(file: string): boolean {
  return AREAS.includes(areaOf(file)) || /^(?:trainer|brain)\//.test(file);
}

/** Mulberry32: small, and the same everywhere. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
