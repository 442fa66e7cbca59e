import type { Backend } from '../graph/backend.ts';
import { EngineError } from '../errors.ts';
import type { BasePlugin } from './base-plugin.ts';
import {
  type ConfigurationFault,
  configurationFaults,
  parseConfiguration,
} from './configuration.ts';
import { dependencyOrder } from './dependencies.ts';
import type { LayerSource } from './neuron-plugin.ts';
import { disposeOf, done, messageOf, type Outcome, PluginLife, refusal } from './plugin-life.ts';
import { brief, type LogEntry } from './plugin-log.ts';
import { type PluginEntry, type PluginOrigin, PluginRegistry } from './plugin-registry.ts';
import { type PluginReport, type RefusedPlugin, reportOf } from './plugin-record.ts';
import type { PluginType } from './metadata.ts';
import type { PluginValues } from './ports.ts';
import { replacePlugin } from './replace-plugin.ts';
import { type TimeLimits, timeLimits } from './plugin-errors.ts';

export interface PluginManagerOptions {
  /** Opens the device that plugins compute on. */
  readonly openBackend: () => Promise<Backend>;
  readonly limits?: Partial<TimeLimits>;
}

const NOT_HERE = 'it is not registered here';

/**
 * Manages the lifecycle of plugins. Calls return whether they succeeded, as `platform.md` specifies;
 * otherwise `reasonOf` and the log give the reason. No call throws because of a plugin, except
 * `executePlugin`, which has to return a result.
 */
export class PluginManager {
  readonly #registry = new PluginRegistry();
  readonly #refused = new Map<string, string>();
  /** Why the latest call about a plugin was refused. */
  readonly #refusals = new WeakMap<BasePlugin, string>();
  readonly #life: PluginLife;
  #backend: Promise<Backend> | undefined;

  constructor({ openBackend, limits }: PluginManagerOptions) {
    this.#life = new PluginLife({
      registry: this.#registry,
      limits: { ...timeLimits, ...limits },
      openBackend: () => (this.#backend ??= this.#open(openBackend)),
    });
  }

  /** A device that fails to open or is lost is opened again on the next request. */
  #open(openBackend: () => Promise<Backend>): Promise<Backend> {
    const opening = openBackend();
    const forget = () => {
      if (this.#backend === opening) this.#backend = undefined;
    };
    opening.then(({ lost }) => void lost.then(forget), forget);
    return opening;
  }

  /** Plugins refused while loading, in order. */
  get refused(): readonly RefusedPlugin[] {
    return Array.from(this.#refused, ([source, reason]) => ({ source, reason }));
  }

  /** Records that a plugin could not be loaded, until it is loaded or forgotten. */
  refuse(source: string, reason: string): void {
    this.#refused.set(source, brief(reason));
  }

  /** There is nothing to load any more. */
  forget(source: string): void {
    this.#refused.delete(source);
  }

  registerPlugin(plugin: BasePlugin, origin: PluginOrigin = { kind: 'built-in' }): boolean {
    const entry = this.#registry.add(plugin, origin);
    const source = origin.kind === 'folder' ? origin.folder : plugin.constructor.name;
    if (typeof entry === 'string') {
      this.#refusals.set(plugin, entry);
      this.refuse(source, entry);
      return false;
    }
    this.#refused.delete(source);
    return true;
  }

  getPlugin(type: 'NEURON', name: string): (BasePlugin & LayerSource) | undefined;
  getPlugin(type: PluginType, name: string): BasePlugin | undefined;
  getPlugin(type: PluginType, name: string): BasePlugin | undefined {
    return this.#registry.get(type, name)?.plugin;
  }

  /** A plugin by its name alone, which is unique over all types. */
  findPlugin(name: string): BasePlugin | undefined {
    return this.#registry.named(name)?.plugin;
  }

  listPlugins(): readonly PluginReport[] {
    return this.#registry.all().map(reportOf);
  }

  inspectPlugin(plugin: BasePlugin): PluginReport | undefined {
    const entry = this.#registry.of(plugin);
    return entry && reportOf(entry);
  }

  /** Why the latest call failed, or why the plugin is not active; empty where nothing is wrong. */
  reasonOf(plugin: BasePlugin): string {
    const entry = this.#registry.of(plugin);
    return this.#refusals.get(plugin) ?? (entry ? entry.state.reason : NOT_HERE);
  }

  logsOf(plugin: BasePlugin, after = 0): readonly LogEntry[] {
    return this.#registry.of(plugin)?.log.after(after) ?? [];
  }

  /** Writes into a plugin's log why something about it was refused. */
  note(plugin: BasePlugin, reason: string): void {
    this.#refusals.set(plugin, reason);
    this.#registry.of(plugin)?.log.add('warn', reason);
  }

  /** Also restarts a failed plugin. Refused while it is active. */
  initializePlugin(plugin: BasePlugin): Promise<boolean> {
    return this.#change(plugin, (entry) => this.#life.initialize(entry));
  }

  /** Refused where something that it needs is not active. */
  activatePlugin(plugin: BasePlugin): Promise<boolean> {
    return this.#change(plugin, (entry) => this.#life.activate(entry));
  }

  /** Refused while an active plugin depends on it. */
  deactivatePlugin(plugin: BasePlugin): Promise<boolean> {
    return this.#change(plugin, async (entry) => {
      const users = this.#life
        .dependentsOf(entry)
        .filter(({ state }) => state.status === 'ACTIVE')
        .map(({ metadata }) => metadata.name);
      if (users.length > 0) return refusal(`${users.join(', ')} needs it`);
      return this.#life.deactivate(entry, '');
    });
  }

  /** Invalid settings of a plugin; empty if all are valid. */
  configurationFaults(
    plugin: BasePlugin,
    given: Readonly<Record<string, unknown>>,
  ): readonly ConfigurationFault[] {
    const entry = this.#registry.of(plugin);
    return entry ? configurationFaults(entry.metadata.configuration, given) : [];
  }

  /** Replaces the settings of a plugin, over its defaults; a running plugin is restarted with them. */
  configurePlugin(plugin: BasePlugin, given: Readonly<Record<string, unknown>>): Promise<boolean> {
    return this.#change(plugin, async (entry) => {
      try {
        entry.configuration = parseConfiguration(entry.metadata.configuration, given);
      } catch (error) {
        return refusal(messageOf(error));
      }
      entry.log.add('info', 'has a new configuration');
      return this.#beginAnew(entry);
    });
  }

  /**
   * Executes an active plugin; its inputs and outputs are checked against its ports.
   * @throws EngineError plugin-refused if it is not active, invalid-setting or shape-mismatch for wrong
   * inputs, and plugin-failed if it threw, timed out or returned invalid outputs
   */
  async executePlugin(plugin: BasePlugin, inputs: PluginValues): Promise<PluginValues> {
    const entry = this.#registry.of(plugin);
    if (!entry) throw new EngineError('plugin-refused', NOT_HERE);
    return this.#life.executeNamed(entry.metadata.name, inputs);
  }

  /**
   * Initializes and activates all plugins in the order of dependencies.
   * @returns whether all are active
   */
  async activateAll(): Promise<boolean> {
    const { order, refused } = this.#order();
    let areAllUp = refused.size === 0;
    for (const name of [...order, ...refused.keys()]) {
      const plugin = this.findPlugin(name);
      if (!plugin) continue;
      const isUp = (await this.initializePlugin(plugin)) && (await this.activatePlugin(plugin));
      areAllUp &&= isUp;
    }
    return areAllUp;
  }

  /**
   * Replaces a plugin by another version, once that has reached the same status; if it fails, the old one
   * stays.
   */
  replacePlugin(plugin: BasePlugin, next: BasePlugin, origin: PluginOrigin): Promise<boolean> {
    return this.#change(plugin, (entry) => replacePlugin(this.#life, entry, { next, origin }));
  }

  /** Removes a plugin, active or not; its dependents are deactivated. */
  unregisterPlugin(plugin: BasePlugin, why = ''): Promise<boolean> {
    return this.#change(plugin, async (entry) => {
      if (entry.state.status === 'ACTIVE') await this.#life.deactivate(entry, why);
      await disposeOf(entry.plugin);
      this.#registry.remove(entry.metadata.name);
      return done;
    });
  }

  /** Waits for all pending calls and their consequences. */
  async settled(): Promise<void> {
    const queues = () => this.#registry.all().map(({ queue }) => queue);
    for (let seen = queues(), now: typeof seen = []; ; seen = now) {
      await Promise.all(seen);
      now = queues();
      if (now.every((queue, i) => queue === seen[i])) return;
    }
  }

  /** Deactivates and removes all plugins; dependents first. */
  async close(): Promise<void> {
    const { order } = this.#order();
    const rank = ({ metadata }: PluginEntry) => order.indexOf(metadata.name);
    for (const entry of this.#registry.all().toSorted((a, b) => rank(b) - rank(a))) {
      await this.#life.inTurn(entry, async () => {
        if (entry.state.status === 'ACTIVE') await this.#life.deactivate(entry, '');
        await disposeOf(entry.plugin);
      });
      this.#registry.remove(entry.metadata.name);
    }
    await this.#backend?.then((backend) => backend.close()).catch(() => {});
  }

  #order() {
    return dependencyOrder(this.#registry.all().map(({ metadata }) => metadata));
  }

  /** Queues a change of a plugin and records the reason of a refusal. */
  async #change(
    plugin: BasePlugin,
    work: (entry: PluginEntry) => Promise<Outcome>,
  ): Promise<boolean> {
    const entry = this.#registry.of(plugin);
    if (!entry) return false;
    const outcome = await this.#life.inTurn(entry, () => work(entry));
    const { plugin: current } = entry;
    if (outcome.ok) this.#refusals.delete(current);
    else if (entry.state.reason === outcome.reason) this.#refusals.set(current, outcome.reason);
    else this.note(current, outcome.reason);
    return outcome.ok;
  }

  async #beginAnew(entry: PluginEntry): Promise<Outcome> {
    const { status } = entry.state;
    if (status === 'LOADED' || status === 'ERROR') return done;
    if (status === 'ACTIVE') {
      const ended = await this.#life.deactivate(entry, '');
      if (!ended.ok) return ended;
    }
    const begun = await this.#life.initialize(entry);
    return begun.ok && status === 'ACTIVE' ? this.#life.activate(entry) : begun;
  }
}
