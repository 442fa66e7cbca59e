import { equations } from '../kernel-language/written-kernel.ts';
import { kernelsOf, ROWS } from './table.ts';

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
