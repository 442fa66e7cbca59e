import { fileURLToPath } from 'node:url';
import type { Plugin, Rolldown } from 'vite';

const web = fileURLToPath(new URL('../web/', import.meta.url));
const WORKER = `${web}workers/page-worker.ts`;
const PAGE = `${web}index.html`;

/** Source bytes below which a chunk joins the one whose users are most alike: gzip begins anew in each. */
const SMALL_CHUNK = 60_000;

/**
 * Chunks of the page by what imports them. Four groups keep apart what the page begins with, what it
 * loads later, and what workers need of either: a worker has no document and never loads React. Inside
 * the later two, modules with the same importers make a chunk.
 */
export function createPageChunks(): {
  readonly plugin: Plugin;
  readonly groups: Rolldown.CodeSplittingGroup[];
} {
  let ofWorkers: ReadonlySet<string> = new Set();
  let atStart: ReadonlySet<string> = new Set();

  const plugin: Plugin = {
    name: 'page-chunks',
    apply: 'build',
    buildEnd() {
      ofWorkers = reach(this, WORKER, 'all');
      atStart = reach(this, PAGE, 'static');
      const react = [...ofWorkers].find((id) => id.includes('/node_modules/react'));
      if (react) this.error(`workers import ${react}: they have no document`);
    },
  };
  const shared = {
    minShareCount: 2,
    entriesAware: true,
    entriesAwareMergeThreshold: SMALL_CHUNK,
  };
  const groups = [
    { name: 'base', test: (id: string) => atStart.has(id) && ofWorkers.has(id) },
    { name: 'page', test: (id: string) => atStart.has(id) && !isEntry(id) },
    { name: 'compute', ...shared, test: (id: string) => ofWorkers.has(id) && !isEntry(id) },
    { name: 'screens', ...shared },
  ].map((group, place, all) => ({ ...group, priority: all.length - place }));
  return { plugin, groups };
}

/** The modules that loading `entry` loads, by static imports or by those at run time as well. */
function reach(
  graph: Rolldown.PluginContext,
  entry: string,
  follow: 'static' | 'all',
): Set<string> {
  const reached = new Set<string>();
  const open = [entry];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    const module = graph.getModuleInfo(id);
    open.push(...(module?.importedIds ?? []));
    if (follow === 'all') open.push(...(module?.dynamicallyImportedIds ?? []));
  }
  return reached;
}

const isEntry = (id: string) => id === PAGE || id === `${web}main.tsx` || id === WORKER;
