import { izhikevichPresets } from '../../neurons/izhikevich-presets.ts';
import { neuronCatalogue } from '../../neurons/catalogue.ts';
import { EngineError } from '../../errors.ts';
import { ModelNeuronPlugin } from '../model-neuron-plugin.ts';

const version = '1.0.0';

/** Leaky integrate-and-fire neurons, reset by subtraction. */
export class LIFNeuronPlugin extends ModelNeuronPlugin {
  constructor() {
    super({
      name: 'LIFNeuronPlugin',
      version,
      description: 'Leaky integrate-and-fire neurons, reset by subtraction.',
      model: neuronCatalogue.lif,
      fromTau: (tau) => ({ tau }),
      fromThreshold: (threshold) => ({ threshold }),
      thresholdOf: ({ threshold = 1 }) => threshold,
    });
  }
}

/** The voltage in mV at which a spike of Izhikevich's neuron has reached its peak. */
const PEAK = 30;

/** Izhikevich's neurons; tau is the time constant of the recovery, `a = 1 / tau`. */
export class IzhikevichNeuronPlugin extends ModelNeuronPlugin {
  constructor() {
    super({
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
    });
  }
}
