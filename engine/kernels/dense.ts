import { ACCUMULATE, kernelsOf, PARTIAL_SUMS, ROWS, SEQUENCES, STEPS } from './table.ts';

const PRODUCT = {
  /** Rows of the output. */
  rows: 'int',
  /** Columns of the output. */
  columns: 'int',
  /** Length of the dot products. */
  depth: 'int',
} as const;

/** Rows of the residual; smaller than `rows` where one residual serves every time step. */
const EPILOGUE = { residualRows: 'int' } as const;

/** Products of matrices of numbers and of spikes. */
export const linearKernels = kernelsOf('linear', {
  linear_forward: {
    operands: { input: 'read', weight: 'read', output: 'write', bias: 'read?', residual: 'read?' },
    attributes: { ...PRODUCT, ...EPILOGUE },
  },
  linear_backward_input: {
    operands: { gradient: 'read', weight: 'read', inputGradient: 'update' },
    attributes: { ...PRODUCT, ...ACCUMULATE },
  },
  /** As linear_backward_input; the gradient of a neuron without a slope may be any finite number. */
  linear_backward_spikes: {
    operands: { gradient: 'read', weight: 'read', inputGradient: 'update', current: 'read' },
    attributes: {
      ...PRODUCT,
      ...ACCUMULATE,
      /** Time steps; the rows of the product hold all of them. */
      steps: 'int',
      currentSteps: 'int',
      beta: 'float',
      threshold: 'float',
      /** Distance from the threshold at which the surrogate's support ends. */
      reach: 'float',
    },
  },
  linear_backward_weight: {
    operands: { input: 'read', gradient: 'read', weightGradient: 'update' },
    attributes: { ...PRODUCT, ...ACCUMULATE },
  },
  spike_linear_forward: {
    operands: {
      spikes: 'read',
      weight: 'read',
      output: 'update',
      bias: 'read?',
      residual: 'read?',
    },
    attributes: { ...PRODUCT, ...EPILOGUE, ...ACCUMULATE },
  },
  spike_linear_int8: {
    operands: {
      spikes: 'read',
      weight: 'read',
      scale: 'read',
      output: 'write',
      bias: 'read?',
      residual: 'read?',
    },
    attributes: { ...PRODUCT, ...EPILOGUE },
  },
  transpose_bits: { operands: { spikes: 'read', transposed: 'write' }, attributes: ROWS },
});

/**
 * Functions of one number: sigmoid and softplus keep a trained number in its range, (0, 1) and positive;
 * the natural logarithm takes inputs below MIN_LOG_INPUT for that; relu is the rectifier of float networks, gelu its
 * smooth form (by tanh).
 */
export const ACTIVATIONS = ['sigmoid', 'softplus', 'log', 'relu', 'gelu'] as const;
export type Activation = (typeof ACTIVATIONS)[number];

/** The same in shaders/lib/activation.wgsl and engine/backends/wasm/assembly/activation.ts. */
export const MIN_LOG_INPUT = 1e-10;

/** Functions element by element, and their gradients. */
export const activationKernels = kernelsOf('activation', {
  activation_forward: {
    operands: { input: 'read', output: 'write' },
    attributes: { count: 'int', activation: ACTIVATIONS },
  },
  activation_backward: {
    operands: { input: 'read', gradient: 'read', inputGradient: 'update' },
    attributes: { count: 'int', activation: ACTIVATIONS, ...ACCUMULATE },
  },
});

/** Norms over the features of a row. */
export const normKernels = kernelsOf('norm', {
  layer_norm_forward: {
    operands: {
      input: 'read',
      gain: 'read',
      offset: 'read',
      output: 'write',
      statistics: 'write',
    },
    attributes: { ...ROWS, epsilon: 'float' },
  },
  layer_norm_backward_input: {
    operands: {
      input: 'read',
      gain: 'read',
      statistics: 'read',
      gradient: 'read',
      inputGradient: 'update',
    },
    attributes: { ...ROWS, ...ACCUMULATE },
  },
  layer_norm_backward_parameters: {
    operands: {
      input: 'read',
      statistics: 'read',
      gradient: 'read',
      gainPartial: 'write',
      offsetPartial: 'write',
    },
    attributes: PARTIAL_SUMS,
  },
  rms_norm_forward: {
    operands: { input: 'read', gain: 'read', output: 'write', statistics: 'write' },
    attributes: { ...ROWS, epsilon: 'float' },
  },
  rms_norm_backward_input: {
    operands: {
      input: 'read',
      gain: 'read',
      statistics: 'read',
      gradient: 'read',
      inputGradient: 'update',
    },
    attributes: { ...ROWS, ...ACCUMULATE },
  },
  rms_norm_backward_parameters: {
    operands: { input: 'read', statistics: 'read', gradient: 'read', gainPartial: 'write' },
    attributes: PARTIAL_SUMS,
  },
});

/** Each token mixed with the one before it. */
export const shiftKernels = kernelsOf('shift', {
  token_shift_forward: {
    operands: { input: 'read', mix: 'read', output: 'write' },
    attributes: SEQUENCES,
  },
  token_shift_backward_input: {
    operands: { gradient: 'read', mix: 'read', inputGradient: 'update' },
    attributes: { ...SEQUENCES, ...ACCUMULATE },
  },
  token_shift_backward_mix: {
    operands: { input: 'read', gradient: 'read', partial: 'write' },
    attributes: { ...SEQUENCES, chunk: 'int' },
  },
  /** One token at a time; `slots` names the sequence that each row continues. */
  token_shift_step: {
    operands: { input: 'read', mix: 'read', slots: 'read', previous: 'update', output: 'write' },
    attributes: { ...STEPS, slots: 'int' },
  },
});
