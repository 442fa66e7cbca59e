import type { Backend } from '../graph/backend.ts';
import { EngineError } from '../errors.ts';
import type { BasePlugin, PluginContext } from './base-plugin.ts';
import { missingSetting } from './configuration.ts';
import { dependencyOrder } from './dependencies.ts';
import { isCallersFault, type TimeLimits, withinTime } from './plugin-errors.ts';
import { brief } from './plugin-log.ts';
import type { PluginEntry, PluginRegistry } from './plugin-registry.ts';
import { type LifeEvent, transition } from './plugin-status.ts';
import { type Axes, checkValues, type PluginValues } from './ports.ts';

/** The outcome of a lifecycle step. */
export type Outcome = { readonly ok: true } | { readonly ok: false; readonly reason: string };

export const done: Outcome = { ok: true };
export const refusal = (reason: string): Outcome => ({ ok: false, reason });

interface PluginLifeOptions {
  readonly registry: PluginRegistry;
  readonly limits: TimeLimits;
  readonly openBackend: () => Promise<Backend>;
}

/**
 * Executes lifecycle steps of plugins: checks that the status allows a step, calls the plugin within its
 * time limit, and records the result. `inTurn` queues the calls to one plugin.
 */
export class PluginLife {
  readonly #registry: PluginRegistry;
  readonly #limits: TimeLimits;
  readonly #openBackend: () => Promise<Backend>;

  constructor({ registry, limits, openBackend }: PluginLifeOptions) {
    this.#registry = registry;
    this.#limits = limits;
    this.#openBackend = openBackend;
  }

  /** Runs `work` once the calls to this plugin before it are over. */
  inTurn<T>(entry: PluginEntry, work: () => Promise<T>): Promise<T> {
    const turn = entry.queue.then(work);
    entry.queue = turn.catch(() => {});
    return turn;
  }

  async initialize(entry: PluginEntry): Promise<Outcome> {
    const { name } = entry.metadata;
    const others = this.#registry.all().map(({ metadata }) => metadata);
    const all = others.map((metadata) => (metadata.name === name ? entry.metadata : metadata));
    const unmet = dependencyOrder(all).refused.get(name);
    if (unmet !== undefined) return this.fail(entry, unmet);
    const missing = missingSetting(entry.metadata.configuration, entry.configuration);
    if (missing !== undefined) return refusal(`its setting ${missing} is empty`);
    return this.#step(entry, 'initialized', 'initialize', () =>
      entry.plugin.initialize(this.#contextOf(entry)),
    );
  }

  async activate(entry: PluginEntry): Promise<Outcome> {
    if (entry.state.status === 'ACTIVE') return done;
    const idle = this.#idleDependency(entry);
    if (idle !== undefined) return refusal(idle);
    const outcome = await this.#step(entry, 'activated', 'activate', () => entry.plugin.activate());
    // A dependency may have ended meanwhile.
    const ended = outcome.ok ? this.#idleDependency(entry) : undefined;
    return ended === undefined ? outcome : this.deactivate(entry, ended);
  }

  /** @param why empty if a person requested it */
  async deactivate(entry: PluginEntry, why: string): Promise<Outcome> {
    if (entry.state.status === 'INACTIVE') return done;
    const outcome = await this.#step(
      entry,
      { type: 'deactivated', reason: why },
      'deactivate',
      () => entry.plugin.deactivate(),
    );
    if (outcome.ok) this.#endDependents(entry, 'was deactivated');
    return outcome;
  }

  /** @throws EngineError plugin-refused or plugin-failed */
  async execute(entry: PluginEntry, inputs: PluginValues, axes: Axes): Promise<PluginValues> {
    const { metadata, state, plugin } = entry;
    if (state.status !== 'ACTIVE') {
      const why = state.reason && `: ${state.reason}`;
      throw new EngineError(
        'plugin-refused',
        `${metadata.name} is ${state.status}, expected ACTIVE${why}`,
      );
    }
    let outputs: unknown;
    try {
      outputs = await this.#limited('execute', () => plugin.execute(inputs));
    } catch (error) {
      if (isCallersFault(error)) throw error;
      throw await this.#failedExecution(entry, error);
    }
    try {
      return checkValues(metadata.outputs, outputs, axes);
    } catch (error) {
      throw await this.#failedExecution(entry, error);
    }
  }

  /** Puts a plugin out of service, with those that need it. */
  async fail(entry: PluginEntry, why: string): Promise<Outcome> {
    const reason = brief(why);
    this.#enter(entry, { type: 'failed', reason });
    entry.log.add('error', reason);
    await disposeOf(entry.plugin);
    this.#endDependents(entry, `failed: ${reason}`);
    return refusal(reason);
  }

  /** The plugins that name this one among their dependencies. */
  dependentsOf(entry: PluginEntry): readonly PluginEntry[] {
    const { name } = entry.metadata;
    return this.#registry
      .all()
      .filter(({ metadata }) => Object.hasOwn(metadata.dependencies, name));
  }

  async #failedExecution(entry: PluginEntry, cause: unknown): Promise<EngineError> {
    const reason = brief(`execute: ${messageOf(cause)}`);
    await this.fail(entry, reason);
    return new EngineError('plugin-failed', `${entry.metadata.name} failed: ${reason}`, { cause });
  }

  async #step(
    entry: PluginEntry,
    event: LifeEvent | 'initialized' | 'activated',
    call: keyof TimeLimits,
    work: () => void | Promise<void>,
  ): Promise<Outcome> {
    const asked: LifeEvent = typeof event === 'string' ? { type: event } : event;
    const allowed = transition(entry.state, asked);
    if (!allowed.ok) return refusal(allowed.reason);
    try {
      await this.#limited(call, work);
    } catch (error) {
      return this.fail(entry, `${call}: ${messageOf(error)}`);
    }
    this.#enter(entry, asked);
    const { status, reason } = entry.state;
    entry.log.add('info', reason === '' ? `is ${status}` : `is ${status}: ${reason}`);
    return done;
  }

  #enter(entry: PluginEntry, event: LifeEvent): void {
    const next = transition(entry.state, event);
    if (!next.ok) return;
    entry.state = next.state;
    entry.since = Date.now();
  }

  #limited<T>(call: keyof TimeLimits, work: () => T | Promise<T>): Promise<T> {
    // In a promise, so that synchronous exceptions are failures as well.
    return withinTime('it', this.#limits[call], Promise.resolve().then(work));
  }

  #idleDependency({ metadata }: PluginEntry): string | undefined {
    for (const name of Object.keys(metadata.dependencies)) {
      const status = this.#registry.named(name)?.state.status ?? 'missing';
      if (status !== 'ACTIVE') return `it needs ${name}, which is ${status}`;
    }
    return undefined;
  }

  /** Not waited for: one of them may be waiting for this very plugin. */
  #endDependents(entry: PluginEntry, what: string): void {
    const { name } = entry.metadata;
    // A version on trial has no dependents yet.
    if (this.#registry.named(name) !== entry) return;
    for (const dependent of this.dependentsOf(entry)) {
      void this.inTurn(dependent, async () => {
        if (dependent.state.status === 'ACTIVE' && entry.state.status !== 'ACTIVE') {
          await this.deactivate(dependent, `it needs ${name}, which ${what}`);
        }
      });
    }
  }

  #contextOf(entry: PluginEntry): PluginContext {
    const { plugin, log, metadata, configuration } = entry;
    return {
      configuration,
      log: (level, message) => log.add(level, message),
      openBackend: this.#openBackend,
      execute: async (dependency, inputs) => {
        if (!Object.hasOwn(metadata.dependencies, dependency)) {
          const known = Object.keys(metadata.dependencies).join(', ') || 'nothing';
          throw new EngineError(
            'plugin-refused',
            `${metadata.name} depends on ${known}, not on ${dependency}`,
          );
        }
        return this.executeNamed(dependency, inputs);
      },
      fail: (reason) => this.#failLater(plugin, reason),
    };
  }

  /** @throws EngineError as `execute`, and plugin-refused for a name that is not registered */
  async executeNamed(name: string, inputs: PluginValues): Promise<PluginValues> {
    const entry = this.#registry.named(name);
    if (!entry) throw new EngineError('plugin-refused', `there is no plugin named ${name}`);
    const axes: Axes = new Map();
    const checked = checkValues(entry.metadata.inputs, inputs, axes);
    return this.inTurn(entry, () => this.execute(entry, checked, axes));
  }

  #failLater(plugin: BasePlugin, reason: string): void {
    const entry = this.#registry.of(plugin);
    if (!entry) return;
    void this.inTurn(entry, async () => {
      if (entry.plugin === plugin && entry.state.status !== 'ERROR') await this.fail(entry, reason);
    });
  }
}

/** Lets go of a plugin; one that cannot even do that is beyond help. */
export async function disposeOf(plugin: BasePlugin): Promise<void> {
  try {
    await plugin.dispose();
  } catch {
    // It is out of service already.
  }
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
