import { equations } from '../kernel-language/written-kernel.ts';
import { ACCUMULATE, kernelsOf, STEPS } from './table.ts';

const BY_STEPS = { over: { step: 'steps', row: 'rows', column: 'width' } } as const;

const SHAPES = {
  values: 'f32[steps, rows, width]',
  wanted: 'f32[targetSteps, rows, width]',
  classes: 'u32[rows]',
  losses: 'f32[steps, rows]',
  scale: 'f32[steps, rows]',
  gradient: 'f32[steps, rows]',
  target: 'f32[steps, rows, width]',
} as const;

/** Classes beyond the last count as the last. */
const CLASS = 'min(i32(classes[row]), width - 1)';

const VAN_ROSSUM = {
  ...STEPS,
  /** Fraction of a trace that is kept per step, exp(-1 / tau). */
  decay: 'float',
  /** The sum of squares is multiplied by it, 1 / tau. */
  factor: 'float',
} as const;

/** Losses of each row, that others may be added to. Made when a program first calls them: no part of a build. */
export const rowLossKernels = kernelsOf('loss', {
  row_cross_entropy_forward: {
    operands: { values: 'read', classes: 'read', losses: 'write', scale: 'write' },
    attributes: STEPS,
    write: equations({
      ...BY_STEPS,
      shapes: SHAPES,
      equations: `
        most = rowMax(values)
        scale = most + log(rowSum(exp(values - most)))
        losses = scale - values[step, row, ${CLASS}]`,
    }),
  },
  row_cross_entropy_backward: {
    operands: {
      values: 'read',
      classes: 'read',
      scale: 'read',
      gradient: 'read',
      target: 'update',
    },
    attributes: { ...STEPS, ...ACCUMULATE },
    write: equations({
      ...BY_STEPS,
      shapes: SHAPES,
      equations: `target (+)= gradient * (exp(values - scale) - f32(column == ${CLASS}))`,
    }),
  },
  /** Mean over the columns of the squared differences; `wanted` may be the same in every step. */
  row_squared_error_forward: {
    operands: { values: 'read', wanted: 'read', losses: 'write' },
    attributes: { ...STEPS, targetSteps: 'int' },
    write: equations({
      ...BY_STEPS,
      held: { targetSteps: 'step' },
      shapes: SHAPES,
      equations: `
        difference = values - wanted
        losses = rowSum(difference * difference) / width`,
    }),
  },
  row_squared_error_backward: {
    operands: { values: 'read', wanted: 'read', gradient: 'read', target: 'update' },
    attributes: { ...STEPS, targetSteps: 'int', ...ACCUMULATE },
    write: equations({
      ...BY_STEPS,
      held: { targetSteps: 'step' },
      shapes: SHAPES,
      equations: 'target (+)= gradient * (2 / f32(width)) * (values - wanted)',
    }),
  },
  /** `correct` in the column of each row's class, `others` elsewhere. */
  class_values: {
    operands: { classes: 'read', target: 'write' },
    attributes: { rows: 'int', width: 'int', correct: 'float', others: 'float' },
    write: equations({
      over: { row: 'rows', column: 'width' },
      shapes: { classes: 'u32[rows]', target: 'f32[rows, width]' },
      equations: `target = column == ${CLASS} ? correct : others`,
    }),
  },
  /** `difference` has the filtered difference of both trains in each step. */
  van_rossum_forward: {
    operands: { values: 'read', wanted: 'read', difference: 'write', distance: 'write' },
    attributes: VAN_ROSSUM,
    write: equations({
      ...BY_STEPS,
      scan: 'step',
      shapes: {
        values: 'f32[steps, rows, width]',
        wanted: 'f32[steps, rows, width]',
        difference: 'f32[steps, rows, width]',
        distance: 'f32[rows, width]',
      },
      equations: `
        state d = 0
        state sum = 0
        d = madd(decay, d, values - wanted)
        sum = madd(d, d, sum)
        difference = d
        after
        distance = sum * factor`,
    }),
  },
  van_rossum_backward: {
    operands: { difference: 'read', gradient: 'read', target: 'write' },
    attributes: VAN_ROSSUM,
    write: equations({
      ...BY_STEPS,
      scan: 'step',
      isBackward: true,
      shapes: {
        difference: 'f32[steps, rows, width]',
        gradient: 'f32[rows, width]',
        target: 'f32[steps, rows, width]',
      },
      equations: `
        state d = 0
        d = madd(decay, d, 2 * factor * gradient * difference)
        target = d`,
    }),
  },
  /** Mean over the columns of a row. */
  row_means_forward: {
    operands: { values: 'read', losses: 'write' },
    attributes: STEPS,
    write: equations({ ...BY_STEPS, shapes: SHAPES, equations: 'losses = rowSum(values) / width' }),
  },
  row_means_backward: {
    operands: { gradient: 'read', target: 'update' },
    attributes: { ...STEPS, ...ACCUMULATE },
    write: equations({
      ...BY_STEPS,
      shapes: SHAPES,
      equations: 'target (+)= gradient * (1 / f32(width))',
    }),
  },
  /**
   * The weighted mean over the rows goes to the slot of the history that the clock names; `seed` is its
   * gradient. Rows of weight 0 do not count, whatever their loss.
   */
  batch_loss: {
    operands: { losses: 'read', clock: 'read', history: 'update', seed: 'write', weights: 'read?' },
    attributes: { rows: 'int', slots: 'int' },
    write: equations(({ weights }) => ({
      over: { row: 'rows' },
      shapes: {
        losses: 'f32[rows]',
        clock: 'u32[4]',
        history: 'f32[slots]',
        seed: 'f32[rows]',
        weights: 'f32[rows]',
      },
      equations:
        weights === true
          ? `
        total = rowSum(weights)
        share = total > 0 ? 1 / total : 0
        seed = weights * share
        history[clock[1] % u32(slots)] = rowSum(weights == 0 ? 0 : weights * losses) * share`
          : `
        seed = 1 / f32(rows)
        history[clock[1] % u32(slots)] = rowSum(losses) / rows`,
    })),
  },
});
