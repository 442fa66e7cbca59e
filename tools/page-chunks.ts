import { fileURLToPath } from 'node:url';
import type { Plugin, Rolldown } from 'vite';

const WORKER = fileURLToPath(new URL('../web/workers/page-worker.ts', import.meta.url));

/**
 * A chunk of several screens is named by its hash alone: the names of all that use it would stand in each
 * of them.
 */
export const chunkFileNames = ({ isDynamicEntry, isEntry }: Rolldown.PreRenderedChunk): string =>
  isDynamicEntry || isEntry ? 'assets/[name]-[hash:8].js' : 'assets/[hash:8].js';

/** Style sheets of several screens alike. */
export const assetFileNames = ({ names: [name = ''] }: Rolldown.PreRenderedAsset): string =>
  name.includes('~') ? 'assets/[hash:8][extname]' : 'assets/[name]-[hash:8][extname]';

/**
 * Source bytes below which a chunk of screens joins the one whose users are most alike: gzip begins anew in
 * each. Chunks that workers share are cut exactly, as a screen that needs one of them needs few others.
 */
const SMALL_CHUNK = 12_000;

export interface PageChunks {
  readonly plugin: Plugin;
  readonly groups: Rolldown.CodeSplittingGroup[];
}

/**
 * Chunks of the page by what imports them: what the page begins with, what it loads later, and what
 * workers need of either, each apart. A worker has no document and never loads React.
 */
export function createPageChunks(): PageChunks {
  let ofWorkers: ReadonlySet<string> = new Set();

  const plugin: Plugin = {
    name: 'page-chunks',
    apply: 'build',
    buildEnd() {
      ofWorkers = reach(this, WORKER);
      const react = [...ofWorkers].find((id) => id.includes('/node_modules/react'));
      if (react) this.error(`workers import ${react}: they have no document`);
    },
  };
  const isShared = (id: string) => ofWorkers.has(id) && id !== WORKER;
  const first = { tags: ['$initial' as const] };
  const byUsers = { minShareCount: 2, entriesAware: true };
  const groups = [
    { name: 'base', ...first, test: isShared },
    { name: 'page', ...first, test: (id: string) => !isEntry(id) },
    { name: 'shared', ...byUsers, test: isShared },
    { name: 'screens', ...byUsers, entriesAwareMergeThreshold: SMALL_CHUNK },
  ].map((group, place, all) => ({ ...group, priority: all.length - place }));
  return { plugin, groups };
}

const isEntry = (id: string) => /\/web\/(index\.html|main\.tsx|workers\/page-worker\.ts)$/.test(id);

const laterImports = (graph: Rolldown.PluginContext, id: string): readonly string[] =>
  graph.getModuleInfo(id)?.dynamicallyImportedIds ?? [];

/** The modules that `entry` loads, by static imports and by those at run time. */
function reach(graph: Rolldown.PluginContext, entry: string): Set<string> {
  const reached = new Set<string>();
  const open = [entry];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    open.push(...(graph.getModuleInfo(id)?.importedIds ?? []), ...laterImports(graph, id));
  }
  return reached;
}
