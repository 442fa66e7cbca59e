import { keyOf, type NeuronModel, philox, uniformFrom } from '../../../engine/index.ts';
import type { Handlers } from '../../workers/calls.ts';
import type { ChosenNeuron, NeuronCalls } from '../protocol.ts';
import { currentOf } from '../stimulus.ts';
import { firingRatesAt, runNeuron, type NeuronSetting } from './run-neuron.ts';

const RATE_POINTS = 49;

/** Answers about neurons; `modelOf` throws where it knows no model of that name. */
export function neuronHandlers(modelOf: (name: string) => NeuronModel): Handlers<NeuronCalls> {
  const settingOf = ({ model, parameters, dt }: ChosenNeuron): NeuronSetting => ({
    model: modelOf(model),
    parameters,
    dt,
  });
  return {
    trace(ask) {
      const setting = settingOf(ask);
      const steps = Math.round(ask.duration / ask.dt);
      const current = currentOf(ask.stimulus, { dt: ask.dt, steps }, normals(ask.stimulus.seed));
      const { states, spikes } = runNeuron(setting, current);
      return {
        time: Float64Array.from({ length: steps }, (_, step) => step * ask.dt),
        current,
        states,
        spikes: Float64Array.from(spikes, (step) => step * ask.dt),
      };
    },
    rates(ask) {
      const currents = Float64Array.from(
        { length: RATE_POINTS },
        (_, i) => (ask.highest * i) / (RATE_POINTS - 1),
      );
      return { currents, rates: firingRatesAt(settingOf(ask), currents) };
    },
  };
}

/** Standard normal numbers of a seed, in order: Philox through the transform of Box and Muller. */
export function normals(seed: number): () => number {
  let drawn = 0;
  return () => {
    const [first = 0, second = 0] = philox([drawn++, 0, 0, 0], keyOf(seed));
    const radius = Math.sqrt(-2 * Math.log(1 - uniformFrom(first)));
    return radius * Math.cos(2 * Math.PI * uniformFrom(second));
  };
}
