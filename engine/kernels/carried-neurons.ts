import { carriedLayerOf, layerGradient, leakGradient } from './neuron-equations.ts';
import { BACK, LAYER, LIF, LIF_BACKWARD, MODEL } from './neurons.ts';
import { kernelsOf } from './table.ts';

/** All states of a layer, `[states, rows, width]`. */
const FORTH = { firstStates: 'read', lastStates: 'write' } as const;
/** `stateGradient` holds the gradients of the last states, and is left with those of the first. */
const BACKWARDS = { firstStates: 'read', stateGradient: 'update' } as const;
const carried = 'stateGradient';

/**
 * The neurons of `neuronKernels` over some of the steps: from the states that those before have left, and back from
 * the gradients of those behind. Made when a program first calls them: no part of a build.
 */
export const carriedNeuronKernels = kernelsOf('neurons', {
  carried_lif_forward: {
    operands: { current: 'read', spikes: 'write', decay: 'read?', ...FORTH },
    attributes: LIF,
    write: carriedLayerOf('spikes', 'lif'),
  },
  carried_lif_backward: {
    operands: { current: 'read', gradient: 'update', decay: 'read?', ...BACKWARDS },
    attributes: LIF_BACKWARD,
    write: layerGradient(
      { given: { spikes: 'gradient' }, wanted: { current: 'gradient' }, carried },
      { which: 'lif', shape: 'f32[steps, rows, width]' },
    ),
  },
  carried_lif_backward_held: {
    operands: {
      current: 'read',
      spikeGradient: 'read',
      currentGradient: 'write',
      decay: 'read?',
      ...BACKWARDS,
    },
    attributes: LIF_BACKWARD,
    write: layerGradient(
      { given: { spikes: 'spikeGradient' }, wanted: { current: 'currentGradient' }, carried },
      { which: 'lif', shape: 'f32[rows, width]' },
    ),
  },
  carried_lif_membrane: {
    operands: { current: 'read', membrane: 'write', decay: 'read?', ...FORTH },
    attributes: LIF,
    write: carriedLayerOf('membrane', 'lif'),
  },
  carried_lif_membrane_backward: {
    operands: { gradient: 'read', currentGradient: 'write', stateGradient: 'update' },
    attributes: { ...LAYER, beta: 'float' },
    write: leakGradient(carried),
  },
  carried_neuron_forward: {
    operands: { current: 'read', spikes: 'write', ...FORTH },
    attributes: { ...LAYER, model: MODEL },
    write: carriedLayerOf('spikes'),
  },
  carried_neuron_backward: {
    operands: { current: 'read', gradient: 'read', currentGradient: 'write', ...BACKWARDS },
    attributes: { ...LAYER, model: MODEL, ...BACK },
    write: layerGradient({
      given: { spikes: 'gradient' },
      wanted: { current: 'currentGradient' },
      carried,
    }),
  },
});
