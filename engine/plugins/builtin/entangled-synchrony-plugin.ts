import { EngineError } from '../../errors.ts';
import { neuronCatalogue } from '../../neurons/catalogue.ts';
import { settings } from '../configuration.ts';
import { metadata } from '../metadata.ts';
import {
  checkCurrent,
  checkLayer,
  type NeuronLayer,
  NeuronPlugin,
  neuronPorts,
} from '../neuron-plugin.ts';
import { createPopulationLayer } from '../population-layer.ts';
import type { PluginArray, PluginValues } from '../ports.ts';
import { createTurns } from '../turns.ts';
import { openRhythm, type Rhythm } from './rhythm.ts';

const configuration = settings({
  tau: { type: 'number', title: 'τ', unit: 'ms', default: 20, minimum: 0.01, maximum: 1e6 },
  threshold: { type: 'number', title: 'θ', default: 1, minimum: -1000, maximum: 1e6 },
  groups: {
    type: 'integer',
    title: 'Groups',
    description: 'Of neighbouring neurons; divides their number.',
    default: 1,
    minimum: 1,
    maximum: 65_536,
  },
  coupling: {
    type: 'number',
    title: 'K',
    description: 'How strongly a group pulls its phases together.',
    unit: 'rad/ms',
    default: 0.05,
    minimum: 0,
    maximum: 3,
  },
  frequency: { type: 'number', title: 'f', unit: 'Hz', default: 40, minimum: 0, maximum: 400 },
  spread: {
    type: 'number',
    title: 'Deviation of f',
    unit: 'Hz',
    default: 2,
    minimum: 0,
    maximum: 100,
  },
  modulation: {
    type: 'number',
    title: 'κ',
    description: 'How deep the rhythm of a group modulates the current.',
    default: 0.5,
    minimum: 0,
    maximum: 1,
  },
  seed: {
    type: 'integer',
    title: 'Seed',
    description: 'Of the frequencies and the first phases.',
    default: 1,
    minimum: 0,
    maximum: 2 ** 32 - 1,
  },
});

/** A layer that also says how much its groups are in step. */
export interface EntangledLayer extends NeuronLayer {
  /** R of each group in each step of the last run, `[T, G]`, from 0 to 1. */
  order(): PluginArray;
}

/** Leaky integrate-and-fire neurons whose current follows the rhythm of their group (Kuramoto). */
export class EntangledSynchronyPlugin extends NeuronPlugin {
  getMetadata() {
    return metadata({
      name: 'EntangledSynchronyPlugin',
      type: 'NEURON',
      version: '1.0.0',
      description: 'Leaky integrate-and-fire neurons over groups of coupled Kuramoto oscillators.',
      configuration,
      inputs: neuronPorts.inputs,
      outputs: {
        ...neuronPorts.outputs,
        order: { kind: 'array', axes: ['T', 'G'], description: 'R of each group, from 0 to 1' },
      },
    });
  }

  async createLayer(
    numNeurons: number,
    tau: number,
    threshold: number = this.settings(configuration).threshold,
  ): Promise<EntangledLayer> {
    checkLayer(numNeurons, tau, threshold);
    const given = this.settings(configuration);
    if (numNeurons % given.groups !== 0) {
      throw new EngineError(
        'invalid-setting',
        `numNeurons is ${numNeurons}, expected a multiple of the ${given.groups} groups`,
      );
    }
    const backend = await this.context.openBackend();
    const layer = await createPopulationLayer(backend, {
      model: neuronCatalogue.lif,
      numNeurons,
      tau,
      threshold,
      parameters: { tau, threshold },
    });
    return entangle(layer, await openRhythm(backend, numNeurons, given), numNeurons);
  }

  override async execute({ current }: PluginValues): Promise<PluginValues> {
    const { tau, threshold } = this.settings(configuration);
    // The ports say that it is an array of two axes.
    const given = current as PluginArray;
    const layer = await this.createLayer(given.shape[1] ?? 0, tau, threshold);
    try {
      return { spikes: await layer.run(given), order: layer.order() };
    } finally {
      await layer.close();
    }
  }
}

function entangle(layer: NeuronLayer, rhythm: Rhythm, numNeurons: number): EntangledLayer {
  let order: PluginArray = { shape: [0, 0], data: new Float32Array() };
  const inTurn = createTurns();
  return {
    ...layer,
    run: (current) =>
      inTurn(async () => {
        checkCurrent(current, numNeurons);
        const turned = await rhythm.modulate(current);
        order = turned.order;
        return layer.run(turned.drive);
      }),
    reset: () =>
      inTurn(async () => {
        rhythm.reset();
        await layer.reset();
      }),
    close: () =>
      inTurn(async () => {
        rhythm.close();
        await layer.close();
      }),
    order: () => order,
  };
}
