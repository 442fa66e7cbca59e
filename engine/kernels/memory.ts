import { ACCUMULATE, kernelsOf, PARTIAL_SUMS, ROWS, STEPS } from './table.ts';

const HELD_STEPS = {
  /** Words of a step. */
  count: 'int',
  /** Steps before they are repeated. */
  steps: 'int',
  /** Times that each step is repeated. */
  hold: 'int',
} as const;

/** Fills, copies and sums. */
export const memoryKernels = kernelsOf('memory', {
  fill: { operands: { target: 'write' }, attributes: { count: 'int', value: 'float' } },
  add: { operands: { addend: 'read', target: 'update' }, attributes: { count: 'int' } },
  copy: { operands: { source: 'read', target: 'write' }, attributes: { count: 'int' } },
  sum_steps: {
    operands: { source: 'read', target: 'update' },
    attributes: { count: 'int', steps: 'int', ...ACCUMULATE },
  },
  reduce_rows: {
    operands: { partial: 'read', total: 'update' },
    attributes: { ...ROWS, ...ACCUMULATE },
  },
  column_sum: { operands: { source: 'read', partial: 'write' }, attributes: PARTIAL_SUMS },
  hold_steps_forward: { operands: { source: 'read', target: 'write' }, attributes: HELD_STEPS },
  hold_steps_backward: {
    operands: { gradient: 'read', target: 'update' },
    attributes: { ...HELD_STEPS, ...ACCUMULATE },
  },
  /** Words of any type, `delay` steps later; zero before. */
  delay_steps: {
    operands: { source: 'read', target: 'write' },
    attributes: { count: 'int', steps: 'int', delay: 'int' },
  },
  /** `delays` are steps, u32[width], each at most `depth`; `past` is [depth][rows][width], the oldest first. */
  delay_features: {
    operands: { input: 'read', delays: 'read', past: 'update', output: 'write' },
    attributes: { ...STEPS, depth: 'int' },
  },
  /**
   * `copiedRows` rows of each of `batch` sequences in every time step: from row `sourceFirst` on of source
   * sequences of `sourceRows`, to row `targetFirst` on of target sequences of `targetRows`. The other rows
   * of the target stay as they are.
   */
  copy_rows: {
    operands: { source: 'read', target: 'update' },
    attributes: {
      steps: 'int',
      /** 1 where the source is the same in every step and stored once, else `steps`. */
      sourceSteps: 'int',
      batch: 'int',
      copiedRows: 'int',
      width: 'int',
      sourceRows: 'int',
      sourceFirst: 'int',
      targetRows: 'int',
      targetFirst: 'int',
      ...ACCUMULATE,
    },
  },
});

/** Philox 4x32-10: the same numbers on every backend. `stream` separates the draws of one program. */
export const randomKernels = kernelsOf('random', {
  random_uniform: {
    operands: { clock: 'read', output: 'write' },
    attributes: { count: 'int', stream: 'int' },
  },
  /** Row r has the probabilities of row `r % probabilityRows`. */
  random_spikes: {
    operands: { probabilities: 'read', clock: 'read', spikes: 'write' },
    attributes: { ...ROWS, stream: 'int', probabilityRows: 'int' },
  },
  /** A fraction `share` of the numbers becomes 0; the others are divided by 1 - `share`. */
  dropout: {
    operands: { source: 'read', clock: 'read', target: 'update' },
    attributes: { count: 'int', stream: 'int', share: 'float', ...ACCUMULATE },
  },
});
