import type { NeuronModel } from '../kernels/neuron-model.ts';
import { type NumberSetting, type Setting, settings } from './configuration.ts';
import { metadata, type PluginMetadata } from './metadata.ts';
import {
  checkLayer,
  DEFAULT_THRESHOLD,
  type NeuronLayer,
  NeuronPlugin,
  neuronPorts,
  runOnce,
} from './neuron-plugin.ts';
import type { PluginArray, PluginValues } from './ports.ts';

type Numbers = Readonly<Record<string, number>>;

/** A simulator model as a neuron plugin, with the mapping of its parameters to those of a layer. */
export interface ModelPluginFacts {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly author?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly model: NeuronModel;
  /** The model's parameters for a time constant in ms. */
  readonly fromTau: (tau: number) => Numbers;
  /** The model's parameters for a threshold. */
  readonly fromThreshold: (threshold: number) => Numbers;
  /** The threshold of a set of parameters, where the model has one. */
  readonly thresholdOf?: (parameters: Numbers) => number;
  /** Named sets of parameters to choose from. */
  readonly presets?: Readonly<Record<string, Numbers>>;
}

const NO_PRESET = 'none';

/** Makes layers of a neuron model: its parameters are the configuration. */
export class ModelNeuronPlugin extends NeuronPlugin {
  readonly #facts: ModelPluginFacts;
  readonly #metadata: PluginMetadata;

  constructor(facts: ModelPluginFacts) {
    super();
    const { name, version, description, author, dependencies = {} } = facts;
    this.#facts = facts;
    this.#metadata = metadata({
      name,
      version,
      description,
      dependencies,
      type: 'NEURON',
      ...(author !== undefined && { author }),
      configuration: settings(settingsOf(facts)),
      ...neuronPorts,
    });
  }

  getMetadata(): PluginMetadata {
    return this.#metadata;
  }

  async createLayer(numNeurons: number, tau: number, threshold?: number): Promise<NeuronLayer> {
    const { fromTau, fromThreshold, thresholdOf = () => DEFAULT_THRESHOLD } = this.#facts;
    const configured = this.#configured();
    const theta = threshold ?? thresholdOf(configured);
    // Before `fromTau`, whose result for an invalid tau would be reported under another name.
    checkLayer(numNeurons, tau, theta);
    const own = threshold === undefined ? {} : fromThreshold(threshold);
    return this.#make(
      numNeurons,
      { tau, threshold: theta },
      { ...configured, ...fromTau(tau), ...own },
    );
  }

  override async execute({ current }: PluginValues): Promise<PluginValues> {
    // The ports declare an array of two axes.
    const given = current as PluginArray;
    const parameters = this.#configured();
    const tau = parameters['tau'] ?? 1;
    const layer = await this.#make(
      given.shape[1] ?? 0,
      { tau, threshold: DEFAULT_THRESHOLD },
      parameters,
    );
    return { spikes: await runOnce(layer, given) };
  }

  async #make(
    numNeurons: number,
    facts: Pick<NeuronLayer, 'tau' | 'threshold'>,
    parameters: Numbers,
  ): Promise<NeuronLayer> {
    // Loaded when a layer is made: a plugin that is only listed needs no simulator.
    const { createPopulationLayer } = await import('./population-layer.ts');
    const { model } = this.#facts;
    return createPopulationLayer(await this.context.openBackend(), {
      model,
      numNeurons,
      parameters,
      ...facts,
    });
  }

  /** The model's parameters as they are set. */
  #configured(): Numbers {
    const { presets = {}, model } = this.#facts;
    const { configuration } = this.context;
    const chosen = presets[String(configuration['preset'])];
    const names = model.parameters.map(({ name }) => name);
    return Object.fromEntries(
      names.map((name) => [name, chosen?.[name] ?? Number(configuration[name])]),
    );
  }
}

function settingsOf({ model, presets = {} }: ModelPluginFacts): Record<string, Setting> {
  const names = Object.keys(presets);
  const preset: Setting = {
    type: 'string',
    title: 'Preset',
    description: 'Takes the place of the parameters that it names.',
    default: NO_PRESET,
    enum: [NO_PRESET, ...names],
  };
  const parameters = model.parameters.map((parameter): [string, NumberSetting] => {
    const { name, symbol, unit, initial, minimum, maximum } = parameter;
    return [
      name,
      { type: 'number', title: symbol || name, unit, default: initial, minimum, maximum },
    ];
  });
  return { ...(names.length > 0 && { preset }), ...Object.fromEntries(parameters) };
}
