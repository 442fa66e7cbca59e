import type { BasePlugin } from '../base-plugin.ts';
import { IzhikevichNeuronPlugin, LIFNeuronPlugin } from './neuron-plugins.ts';
import { SpikeTrainStatisticsPlugin } from './spike-train-statistics-plugin.ts';

/** A new one of each plugin that is part of the engine. */
export function createBuiltInPlugins(): BasePlugin[] {
  return [new LIFNeuronPlugin(), new IzhikevichNeuronPlugin(), new SpikeTrainStatisticsPlugin()];
}
