import type { NeuronModel } from '../../../engine/index.ts';
import type { NeuronRequest, NeuronRun } from '../protocol.ts';

/** Advances one neuron of the model by a step for each current. */
export function runNeuron(model: NeuronModel, request: NeuronRequest): NeuronRun {
  const { currents } = request;
  const neuron = neuronOf(model, request);
  const states = model.states.map(() => new Float64Array(currents.length));
  const spikes: number[] = [];
  for (let step = 0; step < currents.length; step++) {
    if (neuron.advance(currents[step] ?? 0)) spikes.push(step);
    for (const [index, values] of states.entries()) values[step] = neuron.state[index] ?? 0;
  }
  return { states, spikes };
}

/** How long a neuron runs at each current, and how much of that it is given to settle, ms. */
export const RATE_RUN = { ms: 1200, settlingMs: 200 } as const;

/** Firing rates in Hz, one for each constant current. */
export function firingRates(model: NeuronModel, request: NeuronRequest): Float64Array<ArrayBuffer> {
  const { ms, settlingMs } = RATE_RUN;
  const steps = Math.round(ms / request.dt);
  const settling = Math.round(settlingMs / request.dt);
  return request.currents.map((current) => {
    const neuron = neuronOf(model, request);
    let spikes = 0;
    for (let step = 0; step < steps; step++) {
      if (neuron.advance(current) && step >= settling) spikes++;
    }
    return (spikes * 1000) / (ms - settlingMs);
  });
}

function neuronOf(model: NeuronModel, { parameters, dt }: NeuronRequest) {
  const constants = Float64Array.from(model.constants?.(parameters, dt) ?? parameters);
  const state = Float64Array.from(model.states, ({ initial }) => initial);
  return { state, advance: (input: number) => model.step(state, constants, input, dt) };
}
