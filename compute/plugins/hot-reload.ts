import { existsSync, type FSWatcher, readdirSync, realpathSync, watch } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { PluginManager, PluginReport } from '../../engine/index.ts';
import { MANIFEST_FILE } from './manifest.ts';
import type { PluginLoader } from './plugin-loader.ts';

/** An editor writes a file in several goes, and a plugin is several files. */
const QUIET_MS = 200;

interface WatchOptions {
  readonly manager: PluginManager;
  readonly loader: PluginLoader;
  readonly directories: readonly string[];
  /** Told after each try, for people and tests. */
  readonly onTry?: (folder: string, didSucceed: boolean) => void;
}

/**
 * Follows directories of plugins. Where the files of one change, the new version takes over once it
 * runs, and one that fails leaves the old one as it is; a new folder is loaded and activated. A plugin
 * whose folder or manifest is taken away is deactivated and unloaded.
 *
 * @returns what stops it
 */
export function watchPlugins({ manager, loader, directories, onTry }: WatchOptions): () => void {
  const timers = new Map<string, NodeJS.Timeout>();
  let latest: Promise<unknown> = Promise.resolve();
  const soon = (folder: string) => {
    clearTimeout(timers.get(folder));
    const retry = async () => {
      const isThere = existsSync(join(folder, MANIFEST_FILE));
      // A folder may come before its files.
      if (!isThere && !isKnown(manager, folder)) return;
      const didSucceed = isThere
        ? await loadAgain(manager, loader, folder)
        : await unload(manager, folder);
      onTry?.(folder, didSucceed);
    };
    timers.set(
      folder,
      setTimeout(() => {
        latest = latest.then(retry);
      }, QUIET_MS),
    );
  };
  const stops = directories.filter(existsSync).map((given) => {
    const directory = realpathSync(given);
    return watchBelow(directory, (file) => soon(folderOf(manager, directory, file)));
  });
  return () => {
    for (const stop of stops) stop();
    for (const timer of timers.values()) clearTimeout(timer);
  };
}

/**
 * Tells which files below a directory change. Each folder is watched by itself: Node's recursive watch
 * loses a file that another takes the place of, as many editors do it.
 *
 * @returns what stops it
 */
function watchBelow(directory: string, tell: (file: string) => void): () => void {
  const watchers = new Map<string, FSWatcher>();
  const follow = (folder: string, isNew: boolean) => {
    if (watchers.has(folder)) return;
    const watcher = watch(folder, (_, file) => {
      if (file === null) return;
      tell(relative(directory, join(folder, file)));
      followAll(true);
    });
    watchers.set(folder, watcher);
    watcher.on('error', () => watcher.close());
    // Changes made before it was watched.
    if (isNew) tell(relative(directory, folder));
  };
  const followAll = (isNew: boolean) => {
    for (const [folder, watcher] of watchers) {
      if (existsSync(folder)) continue;
      watcher.close();
      watchers.delete(folder);
    }
    try {
      follow(directory, false);
      for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
        if (entry.isDirectory()) follow(join(entry.parentPath, entry.name), isNew);
      }
    } catch {
      // One was taken away meanwhile, of which its parent tells.
    }
  };
  followAll(false);
  return () => {
    for (const watcher of watchers.values()) watcher.close();
  };
}

/** The plugin that a changed file belongs to: a directory may be one itself, or hold some. */
function folderOf(manager: PluginManager, directory: string, file: string): string {
  if (existsSync(join(directory, MANIFEST_FILE)) || isKnown(manager, directory)) return directory;
  return join(directory, file.split(sep)[0] ?? '');
}

/** Reads a plugin's folder, again or for the first time. @returns whether what lies there runs now */
export async function loadAgain(
  manager: PluginManager,
  loader: PluginLoader,
  folder: string,
): Promise<boolean> {
  const known = pluginIn(manager, folder);
  const current = known && manager.findPlugin(known.metadata.name);
  if (!known || !current) return loadNew(manager, loader, folder);
  try {
    const { plugin, origin } = await loader.load(folder);
    return await manager.replacePlugin(current, plugin, origin);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const { version } = known.metadata;
    manager.note(current, `${version} stays, as what lies in its folder now was refused: ${why}`);
    return false;
  }
}

/** Whether anything of a folder was loaded, or refused. */
const isKnown = (manager: PluginManager, folder: string): boolean =>
  pluginIn(manager, folder) !== undefined ||
  manager.refused.some(({ source }) => source === folder);

const pluginIn = (manager: PluginManager, folder: string): PluginReport | undefined =>
  manager.listPlugins().find(({ origin }) => origin.kind === 'folder' && origin.folder === folder);

async function unload(manager: PluginManager, folder: string): Promise<boolean> {
  manager.forget(folder);
  const plugin = manager.findPlugin(pluginIn(manager, folder)?.metadata.name ?? '');
  return plugin === undefined || manager.unregisterPlugin(plugin, 'its folder was taken away');
}

async function loadNew(
  manager: PluginManager,
  loader: PluginLoader,
  folder: string,
): Promise<boolean> {
  const plugin = await loader.loadInto(folder, manager);
  if (!plugin) return false;
  return (await manager.initializePlugin(plugin)) && (await manager.activatePlugin(plugin));
}
