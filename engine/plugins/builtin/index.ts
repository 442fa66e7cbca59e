import type { BasePlugin } from '../base-plugin.ts';
import { LatencyEncoderPlugin, RateEncoderPlugin, TASEncoderPlugin } from './encoder-plugins.ts';
import { EntangledSynchronyPlugin } from './entangled-synchrony-plugin.ts';
import {
  AuditoryFrontPlugin,
  MotorDecoderPlugin,
  VisionFrontPlugin,
} from './functional-plugins.ts';
import { DistillationPlugin, EPropPlugin } from './learning-plugins.ts';
import { IzhikevichNeuronPlugin, LIFNeuronPlugin } from './neuron-plugins.ts';
import { HomeostasisPlugin, MetaPlasticityPlugin, STDPPlugin } from './plasticity-plugins.ts';
import { SpikeTrainStatisticsPlugin } from './spike-train-statistics-plugin.ts';

/** A new one of each plugin that is part of the engine. */
export function createBuiltInPlugins(): BasePlugin[] {
  return [
    new LIFNeuronPlugin(),
    new IzhikevichNeuronPlugin(),
    new EntangledSynchronyPlugin(),
    new RateEncoderPlugin(),
    new TASEncoderPlugin(),
    new LatencyEncoderPlugin(),
    new STDPPlugin(),
    new MetaPlasticityPlugin(),
    new HomeostasisPlugin(),
    new VisionFrontPlugin(),
    new AuditoryFrontPlugin(),
    new MotorDecoderPlugin(),
    new EPropPlugin(),
    new DistillationPlugin(),
    new SpikeTrainStatisticsPlugin(),
  ];
}
