import { equations } from '../kernel-language/written-kernel.ts';
import { randomWord } from './random.ts';
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
  fill: {
    operands: { target: 'write' },
    attributes: { count: 'int', value: 'float' },
    write: equations({
      over: { element: 'count' },
      shapes: { target: 'f32[count]' },
      equations: 'target = value',
    }),
  },
  add: {
    operands: { addend: 'read', target: 'update' },
    attributes: { count: 'int' },
    write: equations({
      over: { element: 'count' },
      shapes: { addend: 'f32[count]', target: 'f32[count]' },
      equations: 'target = target + addend',
    }),
  },
  /** Words of any type. */
  copy: {
    operands: { source: 'read', target: 'write' },
    attributes: { count: 'int' },
    write: equations({
      over: { word: 'count' },
      shapes: { source: 'u32[count]', target: 'u32[count]' },
      equations: 'target = source',
    }),
  },
  sum_steps: {
    operands: { source: 'read', target: 'update' },
    attributes: { count: 'int', steps: 'int', ...ACCUMULATE },
    write: equations(({ accumulate }) => ({
      over: { step: 'steps', element: 'count' },
      scan: 'step',
      shapes: { source: 'f32[steps, count]', target: 'f32[count]' },
      equations: `
        state sum = ${accumulate === true ? 'target' : '0'}
        sum = sum + source
        after
        target = sum`,
    })),
  },
  reduce_rows: {
    operands: { partial: 'read', total: 'update' },
    attributes: { ...ROWS, ...ACCUMULATE },
    write: equations(({ accumulate }) => ({
      over: { row: 'rows', column: 'width' },
      scan: 'row',
      shapes: { partial: 'f32[rows, width]', total: 'f32[width]' },
      equations: `
        state sum = ${accumulate === true ? 'total' : '0'}
        sum = sum + partial
        after
        total = sum`,
    })),
  },
  column_sum: {
    operands: { source: 'read', partial: 'write' },
    attributes: PARTIAL_SUMS,
    write: equations({
      over: { line: 'rows / chunk', row: 'rows', column: 'width' },
      scan: 'row',
      from: 'line * chunk',
      to: 'min(rows, line * chunk + chunk)',
      shapes: { source: 'f32[rows, width]', partial: 'f32[rows / chunk, width]' },
      equations: `
        state sum = 0
        sum = sum + source
        after
        partial = sum`,
    }),
  },
  hold_steps_forward: {
    operands: { source: 'read', target: 'write' },
    attributes: HELD_STEPS,
    write: equations({
      over: { step: 'steps', copy: 'hold', element: 'count' },
      shapes: { source: 'f32[steps, count]', target: 'f32[steps, hold, count]' },
      equations: 'target = source',
    }),
  },
  hold_steps_backward: {
    operands: { gradient: 'read', target: 'update' },
    attributes: { ...HELD_STEPS, ...ACCUMULATE },
    write: equations(({ accumulate }) => ({
      over: { step: 'steps', copy: 'hold', element: 'count' },
      scan: 'copy',
      shapes: { gradient: 'f32[steps, hold, count]', target: 'f32[steps, count]' },
      equations: `
        state sum = ${accumulate === true ? 'target' : '0'}
        sum = sum + gradient
        after
        target = sum`,
    })),
  },
  /** Words of any type, `delay` steps later; zero before. */
  delay_steps: {
    operands: { source: 'read', target: 'write' },
    attributes: { count: 'int', steps: 'int', delay: 'int' },
    write: equations({
      over: { step: 'steps', word: 'count' },
      shapes: { source: 'u32[steps, count]', target: 'u32[steps, count]' },
      equations: 'target = step < delay ? 0 : source[step - delay, word]',
    }),
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
    write: equations(({ accumulate }) => ({
      over: { step: 'steps', entry: 'batch', element: 'copiedRows * width' },
      shapes: {
        source: 'f32[sourceSteps, batch, sourceRows * width]',
        target: 'f32[steps, batch, targetRows * width]',
      },
      equations: `
        copied = source[min(step, sourceSteps - 1), entry, element + sourceFirst * width]
        before = target[step, entry, element + targetFirst * width]
        target[step, entry, element + targetFirst * width] = ${accumulate === true ? 'before + ' : ''}copied`,
    })),
  },
});

/** Uniform in [0, 1): the upper 24 bits of a word, which float32 holds exactly. */
const UNIFORM = `f32(shiftRight(${randomWord('element')}, 8)) * ${2 ** -24}`;

/** Philox 4x32-10: the same numbers on every backend. `stream` separates the draws of one program. */
export const randomKernels = kernelsOf('random', {
  random_uniform: {
    operands: { clock: 'read', output: 'write' },
    attributes: { count: 'int', stream: 'int' },
    write: equations({
      over: { element: 'count' },
      shapes: { clock: 'u32[4]', output: 'f32[count]' },
      equations: `output = ${UNIFORM}`,
    }),
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
    write: equations({
      over: { element: 'count' },
      shapes: { source: 'f32[count]', clock: 'u32[4]', target: 'f32[count]' },
      equations: `target (+)= ${UNIFORM} >= share ? source * (1 / (1 - share)) : 0`,
    }),
  },
});
