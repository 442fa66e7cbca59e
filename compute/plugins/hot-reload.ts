import { type FSWatcher, watch } from 'node:fs';
import type { PluginManager } from '../../engine/index.ts';
import type { PluginLoader } from './plugin-loader.ts';

/** An editor writes a file in several goes, and a plugin is several files. */
const QUIET_MS = 200;

/**
 * Follows the folders of plugins: where files change, the new version takes over once it runs; one that
 * fails leaves the old one as it is. Settles each reload in order.
 *
 * @param reloaded told after each try, for people and tests
 */
export function watchPlugins(
  manager: PluginManager,
  loader: PluginLoader,
  reloaded: (folder: string, didTakeOver: boolean) => void = () => {},
): () => void {
  const watchers: FSWatcher[] = [];
  let latest = Promise.resolve();
  for (const { origin } of manager.listPlugins()) {
    if (origin.kind !== 'folder') continue;
    const { folder } = origin;
    let timer: NodeJS.Timeout | undefined;
    const soon = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        latest = latest.then(async () =>
          reloaded(folder, await reloadPlugin(manager, loader, folder)),
        );
      }, QUIET_MS);
    };
    const watcher = watch(folder, { recursive: true }, soon);
    // A folder that goes away is no reason to end: its plugin stays.
    watcher.on('error', () => watcher.close());
    watchers.push(watcher);
  }
  return () => {
    for (const watcher of watchers) watcher.close();
  };
}

/** Reads a plugin's folder again. @returns whether what lies there has taken over */
export async function reloadPlugin(
  manager: PluginManager,
  loader: PluginLoader,
  folder: string,
): Promise<boolean> {
  const known = manager
    .listPlugins()
    .find(({ origin }) => origin.kind === 'folder' && origin.folder === folder);
  const current = known && manager.findPlugin(known.metadata.name);
  if (!known || !current) return false;
  try {
    const { plugin, origin } = await loader.load(folder);
    return await manager.replacePlugin(current, plugin, origin);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    manager.note(
      current,
      `${known.metadata.version} stays, as what lies in its folder now was refused: ${why}`,
    );
    return false;
  }
}
