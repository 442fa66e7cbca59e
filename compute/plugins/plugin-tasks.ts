import {
  type Backend,
  type BasePlugin,
  EngineError,
  isLayerSource,
  type NeuronLayer,
  type PluginContext,
  type PluginMetadata,
  type PluginValues,
} from './plugin-api.ts';
import type { FromPlugin, LayerFacts, Result, Task, ToPlugin } from './plugin-protocol.ts';
import { resultOf } from './result.ts';

/** Carries out beside a plugin what the platform asks of it. */
export class PluginTasks {
  readonly metadata: PluginMetadata;
  readonly #plugin: BasePlugin;
  readonly #tell: (message: FromPlugin) => void;
  readonly #layers = new Map<number, NeuronLayer>();
  readonly #asked = new Map<number, PromiseWithResolvers<unknown>>();
  #backend: Promise<Backend> | undefined;
  #latest = 0;

  private constructor(plugin: BasePlugin, tell: (message: FromPlugin) => void) {
    this.#plugin = plugin;
    this.#tell = tell;
    this.metadata = plugin.getMetadata();
  }

  /** @throws where the module does not make a plugin */
  static async open(module: unknown, tell: (message: FromPlugin) => void): Promise<PluginTasks> {
    const { createPlugin } = module as { createPlugin?: unknown };
    if (typeof createPlugin !== 'function') {
      throw new EngineError(
        'plugin-refused',
        'its entry does not export the function createPlugin',
      );
    }
    return new PluginTasks((await createPlugin()) as BasePlugin, tell);
  }

  receive(message: ToPlugin): void {
    if (message.kind === 'answer') this.#settle(message.id, message.result);
    else void this.#carryOut(message.id, message.task);
  }

  async #carryOut(id: number, task: Task): Promise<void> {
    const result = await resultOf(() => this.#run(task));
    try {
      this.#tell({ kind: 'result', id, result });
    } catch (error) {
      // It holds what cannot be sent, such as a function.
      const message = error instanceof Error ? error.message : String(error);
      this.#tell({ kind: 'result', id, result: { ok: false, code: undefined, message } });
    }
  }

  async #run(task: Task): Promise<unknown> {
    switch (task.method) {
      case 'initialize':
        return this.#plugin.initialize(this.#contextWith(task.configuration));
      case 'activate':
        return this.#plugin.activate();
      case 'deactivate':
        return this.#plugin.deactivate();
      case 'execute':
        return this.#plugin.execute(task.inputs);
      case 'createLayer':
        return this.#createLayer(task);
      case 'runLayer':
        return this.#layerOf(task.layer).run(task.current);
      case 'resetLayer':
        return this.#layerOf(task.layer).reset();
      case 'closeLayer': {
        const layer = this.#layerOf(task.layer);
        this.#layers.delete(task.layer);
        return layer.close();
      }
    }
  }

  async #createLayer(task: Extract<Task, { method: 'createLayer' }>): Promise<LayerFacts> {
    if (!isLayerSource(this.#plugin)) {
      throw new EngineError('plugin-failed', `${this.metadata.name} has no createLayer`);
    }
    const made = await this.#plugin.createLayer(task.numNeurons, task.tau, task.threshold);
    this.#latest += 1;
    this.#layers.set(this.#latest, made);
    const { numNeurons, tau, threshold } = made;
    return { layer: this.#latest, numNeurons, tau, threshold };
  }

  #layerOf(id: number): NeuronLayer {
    const layer = this.#layers.get(id);
    if (layer) return layer;
    throw new EngineError('invalid-setting', `the layer ${id} is closed`);
  }

  #contextWith(configuration: PluginContext['configuration']): PluginContext {
    return {
      configuration,
      log: (level, message) => this.#tell({ kind: 'log', level, message: String(message) }),
      openBackend: () => (this.#backend ??= openOwnBackend()),
      execute: (dependency, inputs) => this.#ask(dependency, inputs),
      fail: (reason) => this.#tell({ kind: 'fail', reason: String(reason) }),
    };
  }

  async #ask(dependency: string, inputs: PluginValues): Promise<PluginValues> {
    this.#latest += 1;
    const id = this.#latest;
    const answer = Promise.withResolvers<unknown>();
    this.#asked.set(id, answer);
    this.#tell({ kind: 'ask', id, dependency, inputs });
    // The platform held it against the ports of the plugin that answered.
    return (await answer.promise) as PluginValues;
  }

  #settle(id: number, result: Result): void {
    const waiting = this.#asked.get(id);
    this.#asked.delete(id);
    if (result.ok) waiting?.resolve(result.value);
    else waiting?.reject(new EngineError('plugin-failed', result.message));
  }
}

/** One thread, as a plugin may start no other. */
async function openOwnBackend(): Promise<Backend> {
  // oxlint-disable-next-line no-restricted-imports -- WASM alone: all devices are four times as large
  const { openWasmBackend } = await import('../../engine/backends/wasm/wasm-backend.ts');
  return openWasmBackend({ threads: 1 });
}
