import {
  BasePlugin,
  checkCurrent,
  checkValues,
  EngineError,
  type LayerSource,
  type NeuronLayer,
  neuronPorts,
  type PluginArray,
  type PluginContext,
  type PluginMetadata,
  type PluginValues,
  withinTime,
} from '../../engine/index.ts';
import { Isolation } from './isolation.ts';
import type { PluginFolder } from './plugin-folder.ts';
import type { ProcessLimits } from './plugin-process.ts';
import type { LayerFacts, Task } from './plugin-protocol.ts';

/**
 * Starts a plugin of a folder in a process of its own; from here it looks like any other.
 *
 * @throws EngineError plugin-refused or plugin-failed
 */
export async function openIsolatedPlugin(
  folder: PluginFolder,
  limits: ProcessLimits,
): Promise<BasePlugin> {
  const isolation = new Isolation(folder, limits);
  const metadata = await isolation.start();
  return metadata.type === 'NEURON'
    ? new IsolatedNeuronPlugin(isolation, metadata, limits)
    : new IsolatedPlugin(isolation, metadata);
}

class IsolatedPlugin extends BasePlugin {
  protected readonly isolation: Isolation;
  readonly #metadata: PluginMetadata;

  constructor(isolation: Isolation, metadata: PluginMetadata) {
    super();
    this.isolation = isolation;
    this.#metadata = metadata;
  }

  getMetadata(): PluginMetadata {
    return this.#metadata;
  }

  override async initialize(context: PluginContext): Promise<void> {
    await super.initialize(context);
    await this.isolation.initialize(context);
  }

  override async activate(): Promise<void> {
    await this.isolation.call({ method: 'activate' });
  }

  override async deactivate(): Promise<void> {
    await this.isolation.call({ method: 'deactivate' });
  }

  async execute(inputs: PluginValues): Promise<PluginValues> {
    // The manager holds it against the ports.
    return (await this.isolation.call({ method: 'execute', inputs })) as PluginValues;
  }

  override async dispose(): Promise<void> {
    await this.isolation.end();
  }
}

class IsolatedNeuronPlugin extends IsolatedPlugin implements LayerSource {
  readonly #limits: ProcessLimits;

  constructor(isolation: Isolation, metadata: PluginMetadata, limits: ProcessLimits) {
    super(isolation, metadata);
    this.#limits = limits;
  }

  async createLayer(numNeurons: number, tau: number, threshold?: number): Promise<NeuronLayer> {
    const made = await this.#ask({ method: 'createLayer', numNeurons, tau, threshold });
    const { layer, ...facts } = this.#factsOf(made, numNeurons);
    return {
      ...facts,
      run: async (current) => {
        checkCurrent(current, numNeurons);
        return this.#run(layer, current);
      },
      reset: async () => void (await this.#ask({ method: 'resetLayer', layer })),
      close: async () => void (await this.#ask({ method: 'closeLayer', layer })),
    };
  }

  async #run(layer: number, current: PluginArray): Promise<PluginArray> {
    const spikes = await this.#ask({ method: 'runLayer', layer, current });
    const [steps = 0, neurons = 0] = current.shape;
    const axes = new Map([
      ['T', steps],
      ['N', neurons],
    ]);
    try {
      return checkValues(neuronPorts.outputs, { spikes }, axes)['spikes'] as PluginArray;
    } catch (error) {
      return this.#giveUp(
        `a layer's run: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  #factsOf(value: unknown, numNeurons: number): LayerFacts {
    const { layer, tau, threshold, ...facts } = (value ?? {}) as Partial<LayerFacts>;
    const isWhole = Number.isInteger(layer) && Number.isFinite(tau) && Number.isFinite(threshold);
    if (isWhole && facts.numNeurons === numNeurons) return value as LayerFacts;
    return this.#giveUp(`createLayer made ${facts.numNeurons} neurons, expected ${numNeurons}`);
  }

  async #ask(task: Task): Promise<unknown> {
    try {
      return await withinTime('it', this.#limits.layerMs, this.isolation.call(task));
    } catch (error) {
      // A wrong argument is the caller's; everything else ends the plugin.
      const isPlugins = error instanceof EngineError && error.code === 'plugin-failed';
      if (isPlugins) this.#giveUp(`${task.method}: ${error.message}`);
      throw error;
    }
  }

  #giveUp(reason: string): never {
    this.context.fail(reason);
    throw new EngineError('plugin-failed', reason);
  }
}
