import type { Backend } from '../graph/backend.ts';
import { EngineError } from '../errors.ts';
import type { Configuration, ConfigurationSchema, Setting } from './configuration.ts';
import type { PluginMetadata } from './metadata.ts';
import type { LogLevel } from './plugin-log.ts';
import type { PluginValues } from './ports.ts';

/** Services of the platform for a plugin, from its initialization on. */
export interface PluginContext {
  /** By the plugin's schema; every setting has a value. */
  readonly configuration: Configuration;
  log(level: LogLevel, message: string): void;
  /** The device that plugins share; opened on first use, closed by the platform. */
  openBackend(): Promise<Backend>;
  /** Executes a plugin that this one depends on. @throws EngineError plugin-failed */
  execute(dependency: string, inputs: PluginValues): Promise<PluginValues>;
  /** Reports, between calls, a failure that deactivates the plugin with this reason. */
  fail(reason: string): void;
}

/**
 * The base class of plugins. The platform calls `initialize` with a configuration, then `activate`; from
 * then on `execute` until `deactivate`. Calls to one plugin never overlap. A call that throws, exceeds its
 * time limit or returns values that do not match the metadata puts the plugin into the status ERROR.
 */
export abstract class BasePlugin {
  #context: PluginContext | undefined;

  /** The same every time. */
  abstract getMetadata(): PluginMetadata;

  abstract execute(inputs: PluginValues): PluginValues | Promise<PluginValues>;

  /** Again after each change of the configuration and after a failure. */
  initialize(context: PluginContext): void | Promise<void> {
    this.#context = context;
  }

  activate(): void | Promise<void> {}

  deactivate(): void | Promise<void> {}

  /** Releases resources, in any status; the last call. */
  dispose(): void | Promise<void> {}

  /** @throws EngineError plugin-failed before `initialize` */
  protected get context(): PluginContext {
    if (this.#context) return this.#context;
    const { name } = this.getMetadata();
    throw new EngineError('plugin-failed', `${name} is used before it is initialized`);
  }

  /** The configuration as the schema types it. */
  protected settings<S extends ConfigurationSchema>(_schema: S): SettingsOf<S> {
    // The platform held it against the schema before it handed it over.
    return this.context.configuration as SettingsOf<S>;
  }
}

export type SettingsOf<S extends ConfigurationSchema> = {
  readonly [K in keyof S['properties']]: ValueOf<S['properties'][K]>;
};

type ValueOf<T extends Setting> = T extends { readonly type: 'boolean' }
  ? boolean
  : T extends { readonly type: 'string' }
    ? string
    : number;
