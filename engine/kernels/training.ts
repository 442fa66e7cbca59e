import { ACCUMULATE, kernelsOf, ROWS } from './table.ts';

/** Mean over the time steps, and the learned blend of direct and deep path. */
export const readoutKernels = kernelsOf('readout', {
  mean_steps_forward: {
    operands: { source: 'read', target: 'write' },
    attributes: { count: 'int', steps: 'int' },
  },
  mean_steps_backward: {
    operands: { gradient: 'read', target: 'update' },
    attributes: { count: 'int', steps: 'int', ...ACCUMULATE },
  },
  readout_mix_forward: {
    operands: { direct: 'read', deep: 'read', mix: 'read', output: 'write' },
    attributes: { count: 'int' },
  },
  readout_mix_backward: {
    operands: { mix: 'read', gradient: 'read', directGradient: 'update', deepGradient: 'update' },
    attributes: { count: 'int', accumulateDirect: 'flag', accumulateDeep: 'flag' },
  },
  readout_mix_backward_mix: {
    operands: { direct: 'read', deep: 'read', mix: 'read', gradient: 'read', partial: 'write' },
    attributes: { count: 'int', chunk: 'int' },
  },
});

const DISTILLATION = {
  ...ROWS,
  /** Both networks' logits are divided by it. */
  temperature: 'float',
  /** Fraction of the teacher in the loss; the rest is that of the targets. */
  blend: 'float',
} as const;

/** Losses in nats. */
export const lossKernels = kernelsOf('loss', {
  /** `weights [rows]` weigh the rows; 1 where they are left out. */
  cross_entropy_forward: {
    operands: {
      logits: 'read',
      targets: 'read',
      losses: 'write',
      scale: 'write',
      weights: 'read?',
    },
    attributes: ROWS,
  },
  cross_entropy_backward: {
    operands: {
      logits: 'read',
      targets: 'read',
      scale: 'read',
      logitsGradient: 'write',
      weights: 'read?',
    },
    attributes: ROWS,
  },
  /** The mean goes to the slot of the history that the clock names. */
  mean_loss: {
    operands: { losses: 'read', clock: 'read', history: 'update' },
    attributes: { rows: 'int', slots: 'int' },
  },
  /** `scale` has the log-sum-exp of a row's logits, plain and at the temperature: `[rows, 2]`. */
  distillation_forward: {
    operands: {
      logits: 'read',
      teacher: 'read',
      targets: 'read',
      losses: 'write',
      scale: 'write',
    },
    attributes: DISTILLATION,
  },
  distillation_backward: {
    operands: {
      logits: 'read',
      teacher: 'read',
      targets: 'read',
      scale: 'read',
      logitsGradient: 'write',
    },
    attributes: DISTILLATION,
  },
  softmax_rows: {
    operands: { logits: 'read', output: 'write' },
    attributes: { ...ROWS, temperature: 'float' },
  },
});

/** Clipping by the global norm, and AdamW over the whole parameter block. */
export const optimiserKernels = kernelsOf('optimiser', {
  squared_norm: {
    operands: { gradients: 'read', partial: 'write' },
    attributes: { count: 'int', chunk: 'int' },
  },
  gradient_norm: {
    operands: { partial: 'read', clock: 'read', rates: 'read', norms: 'update', scale: 'write' },
    attributes: { rows: 'int', slots: 'int' },
  },
  adamw: {
    operands: {
      parameters: 'update',
      gradients: 'read',
      momentum: 'update',
      variance: 'update',
      scale: 'read',
      rates: 'read',
    },
    attributes: {
      count: 'int',
      /** Words at the front of the block that weight decay applies to. */
      decayed: 'int',
      beta1: 'float',
      beta2: 'float',
      epsilon: 'float',
    },
  },
});

/** Differentially private gradients. */
export const privacyKernels = kernelsOf('privacy', {
  /** Adds nothing where the scale is negative, as that of a gradient that is not finite. */
  clipped_sum: {
    operands: { addend: 'read', scale: 'read', sum: 'update' },
    attributes: { count: 'int' },
  },
  /** Clears the sum for the next step. Draws do not depend on how a block is cut into tensors. */
  private_gradient: {
    operands: { clock: 'read', sum: 'update', gradient: 'write' },
    attributes: {
      /** Words of the gradient. */
      count: 'int',
      /** Offset of the gradient in the sum, a multiple of 4. */
      offset: 'int',
      stream: 'int',
      /** Standard deviation of the noise that is added to the sum. */
      deviation: 'float',
      /** The sum with its noise is multiplied by it. */
      factor: 'float',
    },
  },
});
