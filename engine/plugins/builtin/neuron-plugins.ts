import { EngineError } from '../../errors.ts';
import { neuronCatalogue } from '../../neurons/catalogue.ts';
import { izhikevichPresets } from '../../neurons/izhikevich-presets.ts';
import type { BasePlugin } from '../base-plugin.ts';
import { ModelNeuronPlugin } from '../model-neuron-plugin.ts';

const version = '1.0.0';
/** Membrane in mV at the peak of a spike of Izhikevich's neuron. */
const PEAK = 30;

export const modelPlugins = (): BasePlugin[] => [
  new ModelNeuronPlugin({
    name: 'LIFNeuronPlugin',
    version,
    description: 'Leaky integrate-and-fire neurons, reset by subtraction.',
    model: neuronCatalogue.lif,
    fromTau: (tau) => ({ tau }),
    fromThreshold: (threshold) => ({ threshold }),
    thresholdOf: ({ threshold = 1 }) => threshold,
  }),
  new ModelNeuronPlugin({
    name: 'IzhikevichNeuronPlugin',
    version,
    description:
      "Izhikevich's neurons (2003) with his seven presets; tau is the time constant of the recovery.",
    model: neuronCatalogue.izhikevich,
    fromTau: (tau) => ({ a: 1 / tau }),
    fromThreshold: (threshold) => {
      if (threshold === PEAK) return {};
      throw new EngineError(
        'invalid-setting',
        `threshold is ${threshold}, expected ${PEAK} mV, the peak of a spike of this neuron`,
      );
    },
    thresholdOf: () => PEAK,
    presets: izhikevichPresets,
  }),
];
