import { existsSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  type BasePlugin,
  EngineError,
  isInRange,
  type PluginManager,
  type PluginOrigin,
} from '../../engine/index.ts';
import { VERSION } from '../../edge/http/version.ts';
import { openIsolatedPlugin } from './isolated-plugin.ts';
import { MANIFEST_FILE } from './manifest.ts';
import { type PluginFolder, readPluginFolder } from './plugin-folder.ts';
import { type Grants, refuseUngranted } from './grants.ts';
import { type ProcessLimits, processLimits } from './plugin-process.ts';

interface LoadedPlugin {
  readonly plugin: BasePlugin;
  readonly origin: PluginOrigin;
}

export interface LoaderOptions {
  /** Resources that the process of a plugin may use. */
  readonly limits?: Partial<ProcessLimits>;
  /** The plugins that may use the network if they ask. */
  readonly grants?: Grants;
}

/** Finds plugins in folders and starts each in a process of its own. */
export class PluginLoader {
  readonly #limits: ProcessLimits;
  readonly #grants: Grants;

  constructor({ limits = {}, grants = new Set() }: LoaderOptions = {}) {
    this.#limits = { ...processLimits, ...limits };
    this.#grants = grants;
  }

  /**
   * The folders of plugins in a directory: itself where it holds a manifest, else each folder in it.
   *
   * @throws EngineError plugin-refused where it cannot be read
   */
  async discover(directory: string): Promise<readonly string[]> {
    const path = await realpath(resolve(directory)).catch(() => resolve(directory));
    if (existsSync(join(path, MANIFEST_FILE))) return [path];
    const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
      const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      throw new EngineError('plugin-refused', `the folder cannot be read (${why})`);
    });
    return entries
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .filter(({ name }) => name !== 'node_modules')
      .map(({ name }) => join(path, name))
      .toSorted();
  }

  /** @throws EngineError plugin-refused or plugin-failed, with the reason */
  async load(path: string): Promise<LoadedPlugin> {
    const folder = await readPluginFolder(path);
    const { engine } = folder.manifest;
    if (!isInRange(VERSION, engine)) {
      throw new EngineError(
        'plugin-refused',
        `it is for spikegrid ${engine}, but this is ${VERSION}`,
      );
    }
    await refuseUngranted(folder.manifest, this.#grants);
    return { plugin: await openIsolatedPlugin(folder, this.#limits), origin: originOf(folder) };
  }

  /** Loads all there is in a directory into a manager, which keeps in mind what was refused. */
  async loadAll(directory: string, manager: PluginManager): Promise<void> {
    try {
      for (const path of await this.discover(directory)) await this.loadInto(path, manager);
    } catch (error) {
      manager.refuse(directory, messageOf(error));
    }
  }

  /** @returns the plugin; undefined where it was refused */
  async loadInto(path: string, manager: PluginManager): Promise<BasePlugin | undefined> {
    try {
      const { plugin, origin } = await this.load(path);
      if (manager.registerPlugin(plugin, origin)) return plugin;
      await plugin.dispose();
    } catch (error) {
      manager.refuse(path, messageOf(error));
    }
    return undefined;
  }
}

const originOf = ({ folder, manifest, sha256 }: PluginFolder): PluginOrigin => ({
  kind: 'folder',
  folder,
  permissions: manifest.permissions,
  digest: `sha256:${sha256}`,
});

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
