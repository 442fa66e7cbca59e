import type { BasePlugin } from './base-plugin.ts';
import { type Configuration, defaultsOf } from './configuration.ts';
import { parseMetadata, type PluginMetadata, type PluginType } from './metadata.ts';
import { isLayerSource } from './neuron-plugin.ts';
import { PluginLog } from './plugin-log.ts';
import { type LifeState, loaded } from './plugin-status.ts';

/** Origin of a plugin: part of the platform, or a folder. */
export type PluginOrigin =
  | { readonly kind: 'built-in' }
  | {
      readonly kind: 'folder';
      readonly folder: string;
      readonly permissions: readonly string[];
      readonly digest: string;
    };

/** A registered plugin. */
export interface PluginEntry {
  plugin: BasePlugin;
  metadata: PluginMetadata;
  origin: PluginOrigin;
  configuration: Configuration;
  state: LifeState;
  /** When the status was reached, in milliseconds since 1970. */
  since: number;
  readonly log: PluginLog;
  /** The end of the queue of calls. */
  queue: Promise<unknown>;
}

/** The plugins by their names, which are unique over all types: dependencies are names. */
export class PluginRegistry {
  readonly #entries = new Map<string, PluginEntry>();

  /** @returns the new entry, or why the plugin cannot be added */
  add(plugin: BasePlugin, origin: PluginOrigin): PluginEntry | string {
    const read = readMetadata(plugin);
    if (typeof read === 'string') return read;
    const taken = this.#entries.get(read.name);
    if (taken) {
      const { version, type } = taken.metadata;
      return `there is a plugin of this name already: ${read.name} ${version} (${type})`;
    }
    const entry: PluginEntry = {
      plugin,
      metadata: read,
      origin,
      configuration: defaultsOf(read.configuration),
      state: loaded,
      since: Date.now(),
      log: new PluginLog(),
      queue: Promise.resolve(),
    };
    this.#entries.set(read.name, entry);
    return entry;
  }

  get(type: PluginType, name: string): PluginEntry | undefined {
    const entry = this.#entries.get(name);
    return entry?.metadata.type === type ? entry : undefined;
  }

  named(name: string): PluginEntry | undefined {
    return this.#entries.get(name);
  }

  /** The entry of a plugin; undefined once another version has replaced it. */
  of(plugin: BasePlugin): PluginEntry | undefined {
    return this.all().find((entry) => entry.plugin === plugin);
  }

  all(): readonly PluginEntry[] {
    return [...this.#entries.values()];
  }

  remove(name: string): void {
    this.#entries.delete(name);
  }
}

/** The metadata of a plugin, or the reason why it is invalid. */
export function readMetadata(plugin: BasePlugin): PluginMetadata | string {
  try {
    const found = parseMetadata(plugin.getMetadata());
    const isWhole = found.type !== 'NEURON' || isLayerSource(plugin);
    return isWhole ? found : `${found.name} is of type NEURON but has no createLayer`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
