import { equations } from '../kernel-language/written-kernel.ts';
import { BY_CHUNKS, CHUNKS, kernelsOf } from './table.ts';

/** Clipping by the global norm, and AdamW over the whole parameter block. */
export const optimiserKernels = kernelsOf('optimiser', {
  squared_norm: {
    operands: { gradients: 'read', partial: 'write' },
    attributes: CHUNKS,
    write: equations({
      ...BY_CHUNKS,
      shapes: { gradients: 'f32[count]', partial: 'f32[count / chunk]' },
      equations: `
        g = gradients[place + line * chunk]
        partial = rowSum(g * g)`,
    }),
  },
  gradient_norm: {
    operands: { partial: 'read', clock: 'read', rates: 'read', norms: 'update', scale: 'write' },
    attributes: { rows: 'int', slots: 'int' },
    /** A gradient that is not finite has the scale -1: no step is made with it. */
    write: equations({
      over: { row: 'rows' },
      shapes: {
        partial: 'f32[rows]',
        clock: 'u32[4]',
        rates: 'f32[5]',
        norms: 'f32[slots]',
        scale: 'f32[1]',
      },
      equations: `
        squares = rowSum(partial)
        norm = sqrt(squares)
        norms[clock[1] % u32(slots)] = norm
        scale = squares - squares == 0 ? min(1, rates[2] / (norm + 1e-6)) : -1`,
    }),
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
    write: equations({
      over: { element: 'count' },
      shapes: {
        parameters: 'f32[count]',
        gradients: 'f32[count]',
        momentum: 'f32[count]',
        variance: 'f32[count]',
        scale: 'f32[1]',
        rates: 'f32[5]',
      },
      equations: `
        gradient = gradients * scale
        m = beta1 * momentum + (1 - beta1) * gradient
        v = beta2 * variance + (1 - beta2) * (gradient * gradient)
        shrunk = parameters * (1 - (element < decayed ? rates[0] * rates[1] : 0))
        rate = rates[0] / rates[3]
        correction = 1 / rates[4]
        moved = shrunk - rate * m / (sqrt(v * correction) + epsilon)
        momentum = scale < 0 ? momentum : m
        variance = scale < 0 ? variance : v
        parameters = scale < 0 ? parameters : moved`,
    }),
  },
});

/** Differentially private gradients. */
export const privacyKernels = kernelsOf('privacy', {
  /** Adds nothing where the scale is negative, as that of a gradient that is not finite. */
  clipped_sum: {
    operands: { addend: 'read', scale: 'read', sum: 'update' },
    attributes: { count: 'int' },
    write: equations({
      over: { element: 'count' },
      shapes: { addend: 'f32[count]', scale: 'f32[1]', sum: 'f32[count]' },
      equations: `sum = scale < 0 ? sum : sum + scale * addend`,
    }),
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
