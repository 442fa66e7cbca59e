import { equations } from '../kernel-language/written-kernel.ts';
import { ACCUMULATE, kernelsOf, ROWS } from './table.ts';

const CHUNKS = {
  count: 'int',
  /** Elements that one place of the partial sums covers. */
  chunk: 'int',
} as const;

const BY_CHUNKS = {
  over: { line: 'count / chunk', place: 'chunk' },
  until: 'min(chunk, count - line * chunk)',
} as const;

/** Mean over the time steps, and the learned blend of direct and deep path. */
export const readoutKernels = kernelsOf('readout', {
  mean_steps_forward: {
    operands: { source: 'read', target: 'write' },
    attributes: { count: 'int', steps: 'int' },
    write: equations({
      over: { step: 'steps', element: 'count' },
      scan: 'step',
      shapes: { source: 'f32[steps, count]', target: 'f32[count]' },
      equations: `
        state sum = 0
        sum = sum + source
        after
        target = sum / steps`,
    }),
  },
  mean_steps_backward: {
    operands: { gradient: 'read', target: 'update' },
    attributes: { count: 'int', steps: 'int', ...ACCUMULATE },
    write: equations({
      over: { step: 'steps', element: 'count' },
      shapes: { gradient: 'f32[count]', target: 'f32[steps, count]' },
      equations: `target (+)= gradient / steps`,
    }),
  },
  readout_mix_forward: {
    operands: { direct: 'read', deep: 'read', mix: 'read', output: 'write' },
    attributes: { count: 'int' },
    write: equations({
      over: { element: 'count' },
      shapes: { direct: 'f32[count]', deep: 'f32[count]', mix: 'f32[1]', output: 'f32[count]' },
      equations: `
        s = sigmoid(mix)
        output = s * direct + (1 - s) * deep`,
    }),
  },
  readout_mix_backward: {
    operands: { mix: 'read', gradient: 'read', directGradient: 'update', deepGradient: 'update' },
    attributes: { count: 'int', accumulateDirect: 'flag', accumulateDeep: 'flag' },
    write: equations(({ accumulateDirect, accumulateDeep }) => ({
      over: { element: 'count' },
      shapes: {
        mix: 'f32[1]',
        gradient: 'f32[count]',
        directGradient: 'f32[count]',
        deepGradient: 'f32[count]',
      },
      equations: `
        s = sigmoid(mix)
        directGradient = s * gradient ${accumulateDirect === true ? '+ directGradient' : ''}
        deepGradient = (1 - s) * gradient ${accumulateDeep === true ? '+ deepGradient' : ''}`,
    })),
  },
  readout_mix_backward_mix: {
    operands: { direct: 'read', deep: 'read', mix: 'read', gradient: 'read', partial: 'write' },
    attributes: CHUNKS,
    write: equations({
      ...BY_CHUNKS,
      shapes: {
        direct: 'f32[count]',
        deep: 'f32[count]',
        mix: 'f32[1]',
        gradient: 'f32[count]',
        partial: 'f32[count / chunk]',
      },
      equations: `
        i = place + line * chunk
        s = sigmoid(mix)
        partial = s * (1 - s) * rowSum(gradient[i] * (direct[i] - deep[i]))`,
    }),
  },
});

const DISTILLATION = {
  ...ROWS,
  /** Both networks' logits are divided by it. */
  temperature: 'float',
  /** Fraction of the teacher in the loss; the rest is that of the targets. */
  blend: 'float',
} as const;

const BY_ROWS = { over: { row: 'rows', column: 'width' } } as const;

const LOSS_SHAPES = {
  logits: 'f32[rows, width]',
  targets: 'u32[rows]',
  weights: 'f32[rows]',
} as const;

/** Targets beyond the vocabulary count as its last token. */
const TARGET = 'min(i32(targets), width - 1)';

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
    write: equations(({ weights }) => ({
      ...BY_ROWS,
      shapes: { ...LOSS_SHAPES, losses: 'f32[rows]', scale: 'f32[rows]' },
      equations: `
        most = rowMax(logits)
        scale = most + log(rowSum(exp(logits - most)))
        loss = scale - logits[row, ${TARGET}]
        losses = ${weights === true ? 'weights * loss' : 'loss'}`,
    })),
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
    write: equations(({ weights }) => ({
      ...BY_ROWS,
      shapes: { ...LOSS_SHAPES, scale: 'f32[rows]', logitsGradient: 'f32[rows, width]' },
      equations: `
        factor = ${weights === true ? 'weights / rows' : '1 / f32(rows)'}
        logitsGradient = factor * (exp(logits - scale) - f32(column == ${TARGET}))`,
    })),
  },
  /** The mean goes to the slot of the history that the clock names. */
  mean_loss: {
    operands: { losses: 'read', clock: 'read', history: 'update' },
    attributes: { rows: 'int', slots: 'int' },
    write: equations({
      over: { row: 'rows' },
      shapes: { losses: 'f32[rows]', clock: 'u32[4]', history: 'f32[slots]' },
      equations: `history[clock[1] % u32(slots)] = rowSum(losses) / rows`,
    }),
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
    write: equations({
      ...BY_ROWS,
      shapes: {
        ...LOSS_SHAPES,
        teacher: 'f32[rows, width]',
        losses: 'f32[rows]',
        scale: 'f32[rows, 2]',
      },
      equations: `
        softened = logits / temperature
        most = rowMax(logits)
        mostSoftened = most / temperature
        hard = most + log(rowSum(exp(logits - most)))
        soft = mostSoftened + log(rowSum(exp(softened - mostSoftened)))
        agreement = rowSum(teacher * softened)
        weight = blend * temperature * temperature
        losses = (1 - blend) * (hard - logits[row, ${TARGET}]) + weight * (soft - agreement)
        scale[row, 0] = hard
        scale[row, 1] = soft`,
    }),
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
    write: equations({
      ...BY_ROWS,
      shapes: {
        ...LOSS_SHAPES,
        teacher: 'f32[rows, width]',
        scale: 'f32[rows, 2]',
        logitsGradient: 'f32[rows, width]',
      },
      equations: `
        hard = exp(logits - scale[row, 0]) - f32(column == ${TARGET})
        soft = exp(logits * (1 / temperature) - scale[row, 1]) - teacher
        logitsGradient = (1 - blend) / rows * hard + blend * temperature / rows * soft`,
    }),
  },
  softmax_rows: {
    operands: { logits: 'read', output: 'write' },
    attributes: { ...ROWS, temperature: 'float' },
    write: equations({
      ...BY_ROWS,
      shapes: { logits: 'f32[rows, width]', output: 'f32[rows, width]' },
      equations: `
        power = exp((logits - rowMax(logits)) * (1 / temperature))
        output = power * (1 / rowSum(power))`,
    }),
  },
});

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
