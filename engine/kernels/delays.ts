import { equations } from '../kernel-language/written-kernel.ts';
import { ACCUMULATE, kernelsOf, STEPS } from './table.ts';

/** Shapes of a delay around its position: the distance that a tap is away from it, in units of `sigma`, is x. */
export const DELAY_KERNELS = ['triangle', 'gaussian'] as const;
export type DelayKernel = (typeof DELAY_KERNELS)[number];

const HEIGHTS = {
  triangle: 'max(0, 1 - abs(x))',
  gaussian: 'exp(-0.5 * x * x)',
} as const satisfies Record<DelayKernel, string>;

/** Derivatives of the heights by the position, times `sigma`. */
const RISES = {
  triangle: '(abs(x) < 1 ? (x > 0 ? 1 : x < 0 ? -1 : 0) : 0)',
  gaussian: 'height * x',
} as const satisfies Record<DelayKernel, string>;

const TAPS = {
  /** Delays from 0 to taps - 1 steps. */
  taps: 'int',
  /** Delays with a position of their own. */
  count: 'int',
  shape: DELAY_KERNELS,
} as const;

const BY_TAPS = { over: { tap: 'taps', element: 'count' } } as const;

const SHAPES = {
  positions: 'f32[count]',
  sigma: 'f32[1]',
  norm: 'f32[count]',
  table: 'f32[taps, count]',
  gradient: 'f32[taps, count]',
} as const;

/** Positions beyond the taps count as the nearest of them. */
const height = (shape: unknown) => `
  place = min(max(positions, 0), f32(taps - 1))
  x = (f32(tap) - place) / sigma
  height = ${HEIGHTS[shape as DelayKernel]}`;

/** So that heights which all vanish are no division by zero. */
const MIN_NORM = 1e-12;

const FILTER = {
  ...STEPS,
  taps: 'int',
  /** Whether the source is packed spikes. */
  spikes: 'flag',
} as const;

const filterShapes = (spikes: unknown) =>
  ({
    source: `${spikes === true ? 'bits' : 'f32'}[steps, rows, width]`,
    table: 'f32[taps, width]',
    target: 'f32[steps, rows, width]',
    gradient: 'f32[steps, rows, width]',
  }) as const;

const OVER_FILTER = {
  over: { step: 'steps', row: 'rows', tap: 'taps', column: 'width' },
  scan: 'tap',
} as const;

const ONE_TAP = { tap: 'int', taps: 'int', count: 'int' } as const;

const TAP_SHAPES = {
  weight: 'f32[count]',
  table: 'f32[taps, count]',
  target: 'f32[count]',
  gradient: 'f32[count]',
} as const;

/** Delays as weights of taps. Made when a program first calls them: no part of a build. */
export const delayKernels = kernelsOf('delay', {
  /** Sums of the heights over the taps. */
  delay_norms: {
    operands: { positions: 'read', sigma: 'read', norm: 'write' },
    attributes: TAPS,
    write: equations(({ shape }) => ({
      ...BY_TAPS,
      scan: 'tap',
      shapes: SHAPES,
      equations: `
        state sum = ${MIN_NORM}
        ${height(shape)}
        sum = sum + height
        after
        norm = sum`,
    })),
  },
  delay_taps_forward: {
    operands: { positions: 'read', sigma: 'read', norm: 'read', table: 'write' },
    attributes: TAPS,
    write: equations(({ shape }) => ({
      ...BY_TAPS,
      shapes: SHAPES,
      equations: `
        ${height(shape)}
        table = height / norm`,
    })),
  },
  /** Of table = height / norm, where the norm depends on the position, too. Nothing leads further out of the taps. */
  delay_taps_backward: {
    operands: {
      positions: 'read',
      sigma: 'read',
      norm: 'read',
      gradient: 'read',
      target: 'update',
    },
    attributes: { ...TAPS, ...ACCUMULATE },
    write: equations(({ shape, accumulate }) => ({
      ...BY_TAPS,
      scan: 'tap',
      shapes: { ...SHAPES, target: 'f32[count]' },
      equations: `
        state rises = 0
        state heights = 0
        state normRise = 0
        ${height(shape)}
        rise = ${RISES[shape as DelayKernel]} / sigma
        rises = madd(gradient, rise, rises)
        heights = madd(gradient, height, heights)
        normRise = normRise + rise
        after
        total = (rises - heights * normRise / norm) / norm
        isBelow = positions < 0 && total > 0
        isAbove = positions > f32(taps - 1) && total < 0
        inward = isBelow || isAbove ? 0 : total
        target = ${accumulate === true ? 'target + inward' : 'inward'}`,
    })),
  },
  /** Each column filtered over time with its own taps; nothing comes from before the first step. */
  filter_steps_forward: {
    operands: { source: 'read', table: 'read', target: 'write' },
    attributes: FILTER,
    write: equations(({ spikes }) => ({
      ...OVER_FILTER,
      shapes: filterShapes(spikes),
      equations: `
        state sum = 0
        x = step < tap ? 0 : f32(source[max(step - tap, 0), row, column])
        sum = madd(table, x, sum)
        after
        target = sum`,
    })),
  },
  filter_steps_backward_input: {
    operands: { gradient: 'read', table: 'read', target: 'update' },
    attributes: { ...STEPS, taps: 'int', ...ACCUMULATE },
    write: equations(({ accumulate }) => ({
      ...OVER_FILTER,
      shapes: filterShapes(false),
      equations: `
        state sum = ${accumulate === true ? 'target' : '0'}
        g = step + tap < steps ? gradient[min(step + tap, steps - 1), row, column] : 0
        sum = madd(table, g, sum)
        after
        target = sum`,
    })),
  },
  /** Rows of all steps lie one after another, `rows` of each. */
  filter_steps_backward_table: {
    operands: { source: 'read', gradient: 'read', target: 'update' },
    attributes: { ...FILTER, all: 'int', ...ACCUMULATE },
    write: equations(({ spikes, accumulate }) => ({
      over: { tap: 'taps', row: 'all', column: 'width' },
      scan: 'row',
      shapes: {
        source: `${spikes === true ? 'bits' : 'f32'}[all, width]`,
        gradient: 'f32[all, width]',
        target: 'f32[taps, width]',
      },
      equations: `
        state sum = ${accumulate === true ? 'target' : '0'}
        before = row - tap * rows
        x = before < 0 ? 0 : f32(source[max(before, 0), column])
        sum = madd(gradient, x, sum)
        after
        target = sum`,
    })),
  },
  /** The weights of the connections that have this delay. */
  tap_weight_forward: {
    operands: { weight: 'read', table: 'read', target: 'write' },
    attributes: ONE_TAP,
    write: equations({
      over: { element: 'count' },
      shapes: TAP_SHAPES,
      equations: 'target = weight * table[tap, element]',
    }),
  },
  tap_weight_backward: {
    operands: { gradient: 'read', table: 'read', target: 'update' },
    attributes: { ...ONE_TAP, ...ACCUMULATE },
    write: equations({
      over: { element: 'count' },
      shapes: TAP_SHAPES,
      equations: 'target (+)= gradient * table[tap, element]',
    }),
  },
  /** Into the row of this tap alone. */
  tap_weight_backward_table: {
    operands: { gradient: 'read', weight: 'read', target: 'update' },
    attributes: ONE_TAP,
    write: equations({
      over: { element: 'count' },
      shapes: { ...TAP_SHAPES, target: 'f32[taps, count]' },
      equations: `
        before = target[tap, element]
        target[tap, element] = madd(gradient, weight, before)`,
    }),
  },
  /** From `delay` steps later; zero at the end. */
  advance_steps: {
    operands: { gradient: 'read', target: 'update' },
    attributes: { count: 'int', steps: 'int', delay: 'int', ...ACCUMULATE },
    write: equations({
      over: { step: 'steps', element: 'count' },
      shapes: { gradient: 'f32[steps, count]', target: 'f32[steps, count]' },
      equations: `
        target (+)= step + delay < steps ? gradient[min(step + delay, steps - 1), element] : 0`,
    }),
  },
});
