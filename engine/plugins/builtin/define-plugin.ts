import { BasePlugin, type PluginContext, type SettingsOf } from '../base-plugin.ts';
import type { ConfigurationSchema, NumberSetting, TextSetting } from '../configuration.ts';
import { metadata, type MetadataInput, type PluginMetadata } from '../metadata.ts';
import type { PluginArray, PluginValues, Port } from '../ports.ts';

interface Closable {
  close(): void;
}

/** A call of a plugin, and the resource on the device that it opens by shape. */
interface Call<S extends ConfigurationSchema, T extends Closable> {
  /** The inputs, which agree with the ports. */
  readonly values: PluginValues;
  readonly settings: SettingsOf<S>;
  readonly context: PluginContext;
  /** The resource for a shape; it is reused while the shape stays the same. */
  opened(...shape: number[]): Promise<T>;
}

interface Definition<S extends ConfigurationSchema, T extends Closable> extends Omit<
  MetadataInput,
  'version' | 'configuration'
> {
  readonly configuration: S;
  /** Opens what calls of one shape share. */
  readonly open?: (
    context: PluginContext,
    settings: SettingsOf<S>,
    shape: readonly number[],
  ) => Promise<T>;
  readonly execute: (call: Call<S, T>) => PluginValues | Promise<PluginValues>;
}

/** A plugin of the engine, from its metadata and its functions. */
export function definePlugin<S extends ConfigurationSchema, T extends Closable = never>(
  definition: Definition<S, T>,
): BasePlugin {
  return new BuiltInPlugin(definition);
}

class BuiltInPlugin<S extends ConfigurationSchema, T extends Closable> extends BasePlugin {
  readonly #definition: Definition<S, T>;
  readonly #metadata: PluginMetadata;
  #resource: { readonly key: string; readonly opened: T } | undefined;

  constructor(definition: Definition<S, T>) {
    super();
    const { open: _open, execute: _execute, ...described } = definition;
    this.#definition = definition;
    this.#metadata = metadata({ version: '1.0.0', ...described });
  }

  getMetadata(): PluginMetadata {
    return this.#metadata;
  }

  override async initialize(context: PluginContext): Promise<void> {
    this.#close();
    await super.initialize(context);
  }

  execute(values: PluginValues): PluginValues | Promise<PluginValues> {
    const { configuration, open, execute } = this.#definition;
    const { context } = this;
    const settings = this.settings(configuration);
    const opened = async (...shape: number[]): Promise<T> => {
      const key = shape.join();
      if (this.#resource?.key === key) return this.#resource.opened;
      this.#close();
      if (!open) throw new TypeError(`${this.#metadata.name} opens nothing`);
      // Calls to a plugin do not overlap.
      const resource = { key, opened: await open(context, settings, shape) };
      this.#resource = resource;
      return resource.opened;
    };
    return execute({ values, settings, context, opened });
  }

  override deactivate(): void {
    this.#close();
  }

  override dispose(): void {
    this.#close();
  }

  #close(): void {
    this.#resource?.opened.close();
    this.#resource = undefined;
  }
}

/** The array at a port that is declared as one. */
export const arrayAt = (values: PluginValues, name: string) => values[name] as PluginArray;

export const number = (
  title: string,
  initial: number,
  more: Partial<NumberSetting> = {},
): NumberSetting => ({ type: 'number', title, default: initial, ...more });

export const positive = (title: string, initial: number, unit?: string): NumberSetting =>
  number(title, initial, { exclusiveMinimum: 0, ...(unit !== undefined && { unit }) });

export const nonNegative = (title: string, initial: number, unit?: string): NumberSetting =>
  number(title, initial, { minimum: 0, ...(unit !== undefined && { unit }) });

export const integer = (
  title: string,
  initial: number,
  [minimum, maximum]: readonly [minimum: number, maximum: number],
  more: Partial<NumberSetting> = {},
): NumberSetting => ({ ...number(title, initial, { minimum, maximum, ...more }), type: 'integer' });

export const seed = (description?: string): NumberSetting =>
  integer('Seed', 1, [0, 2 ** 32 - 1], description === undefined ? {} : { description });

/** One of some texts, the first by default. */
export const choice = (
  title: string,
  [initial, ...others]: readonly [string, ...string[]],
  description?: string,
): TextSetting => ({
  type: 'string',
  title,
  default: initial,
  enum: [initial, ...others],
  ...(description !== undefined && { description }),
});

export const array = (axes: readonly string[], description: string): Port => ({
  kind: 'array',
  axes,
  description,
});

export const spikes = (axes: readonly string[], description: string): Port => ({
  kind: 'array',
  axes,
  values: 'spikes',
  description,
});

export const optional = (port: Port): Port => ({ ...port, optional: true });
