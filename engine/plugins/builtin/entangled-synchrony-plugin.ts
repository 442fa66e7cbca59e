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
  runOnce,
} from '../neuron-plugin.ts';
import { createPopulationLayer } from '../population-layer.ts';
import type { PluginArray, PluginValues } from '../ports.ts';
import { createPromiseQueue } from '../../promise-queue.ts';
import { array, integer, number, seed } from './define-plugin.ts';
import { openRhythm, type Rhythm } from './rhythm.ts';

const configuration = settings({
  tau: number('τ', 20, { unit: 'ms', minimum: 0.01, maximum: 1e6 }),
  threshold: number('θ', 1, { minimum: -1000, maximum: 1e6 }),
  groups: integer('Groups', 1, [1, 65_536], {
    description: 'Of neighbouring neurons; divides their number.',
  }),
  coupling: number('K', 0.05, {
    description: 'How strongly a group pulls its phases together.',
    unit: 'rad/ms',
    minimum: 0,
    maximum: 3,
  }),
  frequency: number('f', 40, { unit: 'Hz', minimum: 0, maximum: 400 }),
  spread: number('Deviation of f', 2, { unit: 'Hz', minimum: 0, maximum: 100 }),
  modulation: number('κ', 0.5, {
    description: 'How deep the rhythm of a group modulates the current.',
    minimum: 0,
    maximum: 1,
  }),
  seed: seed('Of the frequencies and the first phases.'),
});

/** A layer that also gives the synchrony of its groups. */
interface EntangledLayer extends NeuronLayer {
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
        order: array(['T', 'G'], 'R of each group, from 0 to 1'),
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
    // The ports declare an array of two axes.
    const given = current as PluginArray;
    const layer = await this.createLayer(given.shape[1] ?? 0, tau, threshold);
    return { spikes: await runOnce(layer, given), order: layer.order() };
  }
}

function entangle(layer: NeuronLayer, rhythm: Rhythm, numNeurons: number): EntangledLayer {
  let order: PluginArray = { shape: [0, 0], data: new Float32Array() };
  const enqueue = createPromiseQueue();
  return {
    ...layer,
    run: (current) =>
      enqueue(async () => {
        checkCurrent(current, numNeurons);
        const turned = await rhythm.modulate(current);
        order = turned.order;
        return layer.run(turned.drive);
      }),
    reset: () =>
      enqueue(async () => {
        rhythm.reset();
        await layer.reset();
      }),
    close: () =>
      enqueue(async () => {
        rhythm.close();
        await layer.close();
      }),
    order: () => order,
  };
}
