import { EngineError } from '../errors.ts';
import type { WrittenNeuron } from '../kernels/written-neuron.ts';
import type { NetworkExport } from './export-network.ts';
import type { NirNode, Shape } from './graph.ts';
import { GraphBuilder, tensorOf } from './graph-builder.ts';
import { type LinearNeuron, linearNeuron } from './linear-neuron.ts';

const SHAPE = [1] as const;
const STEPS = 1000;

/**
 * A neuron of equations as a graph with an Input and an Output: LIF, IF or CubaLIF, as far as it is one, with
 * learned parameters where they start. Throws EngineError `checkpoint-mismatch` that names what NIR lacks.
 */
export function nirOfNeuron(neuron: WrittenNeuron): NetworkExport {
  const { dt } = neuron;
  const found = linearNeuron(neuron, dt);
  const builder = new GraphBuilder();
  builder.add('input', { type: 'Input', shape: SHAPE });
  builder.add('neuron', nodeOfNeuron(found, { dt, shape: SHAPE }));
  builder.add('output', { type: 'Output', shape: SHAPE });
  return {
    graph: builder.graph(dt),
    steps: STEPS,
    reset: found.reset,
    reading: 'the input current of each step; output are its spikes',
  };
}

/** The node of neurons that are all alike. Throws EngineError `checkpoint-mismatch` where a step forgets nothing. */
export function nodeOfNeuron(
  { synapse, decay, gain, threshold, reset, amount }: LinearNeuron,
  { dt, shape }: { readonly dt: number; readonly shape: Shape },
): NirNode {
  const each = (value: number) => tensorOf(shape, value);
  const firing = {
    v_threshold: each(threshold),
    v_reset: each(reset === 'value' ? amount : threshold - amount),
  };
  if (decay === 1 && !synapse) return { type: 'IF', r: each(gain), ...firing };
  const tau = timeOf('membrane', decay, dt);
  const membrane = { r: each((gain * tau) / dt), v_leak: each(0), ...firing };
  if (!synapse) return { type: 'LIF', tau: each(tau), ...membrane };
  const tauSynapse = timeOf('synapse', synapse.decay, dt);
  return {
    type: 'CubaLIF',
    tau_mem: each(tau),
    tau_syn: each(tauSynapse),
    w_in: each((synapse.weight * tauSynapse) / dt),
    ...membrane,
  };
}

/** The time constant of which a step of forward Euler keeps this fraction. */
function timeOf(part: string, decay: number, dt: number): number {
  if (decay >= 0 && decay < 1) return dt / (1 - decay);
  throw new EngineError(
    'checkpoint-mismatch',
    `NIR has no node for a ${part} that keeps ${decay} of itself in a step: expected 0 to less than 1`,
  );
}
