import type { NeuronModel } from '../../../engine/index.ts';

/** How one neuron answers an input. */
export interface NeuronRun {
  /** One [steps] for each state of the model, as it is after the step. */
  readonly states: readonly Float64Array<ArrayBuffer>[];
  /** The steps in which it fired, rising. */
  readonly spikes: readonly number[];
}

/** A neuron and how it is set: what stays the same while the input varies. */
export interface NeuronSetting {
  readonly model: NeuronModel;
  /** In the order of the model. */
  readonly parameters: readonly number[];
  /** ms */
  readonly dt: number;
}

/** Advances one neuron of the model by a step for each current. */
export function runNeuron(setting: NeuronSetting, currents: Float64Array): NeuronRun {
  const neuron = neuronOf(setting);
  const states = setting.model.states.map(() => new Float64Array(currents.length));
  const spikes: number[] = [];
  for (let step = 0; step < currents.length; step++) {
    if (neuron.advance(currents[step] ?? 0)) spikes.push(step);
    for (const [index, values] of states.entries()) values[step] = neuron.state[index] ?? 0;
  }
  return { states, spikes };
}

/** How long a neuron runs at each current, and how much of that it is given to settle, ms. */
const RUN_MS = 1200;
const SETTLING_MS = 200;

/** Firing rates in Hz at constant currents: [currents]. */
export function firingRatesAt(
  setting: NeuronSetting,
  currents: Float64Array<ArrayBuffer>,
): Float64Array<ArrayBuffer> {
  const [steps, settling] = [RUN_MS, SETTLING_MS].map((ms) => Math.round(ms / setting.dt));
  return currents.map((current) => {
    const neuron = neuronOf(setting);
    let spikes = 0;
    for (let step = 0; step < (steps ?? 0); step++) {
      if (neuron.advance(current) && step >= (settling ?? 0)) spikes++;
    }
    return (spikes * 1000) / (RUN_MS - SETTLING_MS);
  });
}

function neuronOf({ model, parameters, dt }: NeuronSetting) {
  const constants = Float64Array.from(model.constants?.(parameters, dt) ?? parameters);
  const state = Float64Array.from(model.states, ({ initial }) => initial);
  return { state, advance: (input: number) => model.step(state, constants, input, dt) };
}
