import { layerGradient, layerOf } from './neuron-equations.ts';
import { BACK, LIF } from './neurons.ts';
import { kernelsOf } from './table.ts';

/** Spikes between 0 and 1 for the beginning of training, and attention over them. */
export const relaxedKernels = kernelsOf('relaxed', {
  relaxed_lif_forward: {
    operands: { current: 'read', hardness: 'read', spikes: 'write', decay: 'read?' },
    attributes: LIF,
    write: layerOf('spikes', 'relaxed_lif'),
  },
  relaxed_lif_backward: {
    operands: {
      current: 'read',
      hardness: 'read',
      gradient: 'read',
      currentGradient: 'write',
      decay: 'read?',
    },
    attributes: { ...LIF, ...BACK },
    write: layerGradient(
      { given: { spikes: 'gradient' }, wanted: { current: 'currentGradient' } },
      { which: 'relaxed_lif' },
    ),
  },
  /** `rows` of `sequence` scores; row r is the query of token r % sequence of head r / sequence % heads. */
  decay_scores: {
    operands: { decay: 'read', scores: 'update' },
    attributes: { rows: 'int', sequence: 'int', heads: 'int' },
  },
});
