import type { AttributesOf } from '../graph/kernel.ts';
import { gradientOf } from '../kernel-language/gradient-body.ts';
import { type Definition, parseBody } from '../kernel-language/parse-body.ts';
import { equations } from '../kernel-language/written-kernel.ts';
import { IS_FRESH, SLOT } from './slots.ts';
import { byteWords, wordsPerRow } from '../graph/tensor.ts';
import { ACCUMULATE, int, kernelsOf, PARTIAL_SUMS, ROWS, SEQUENCES, STEPS } from './table.ts';

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

type Product = AttributesOf<typeof PRODUCT>;

/** Words of a row of spikes on the left side. */
const PACKED = { words: int((a: Product) => wordsPerRow(a.depth)) } as const;

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
    derived: PACKED,
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
    derived: { ...PACKED, byteWords: int((a: Product) => byteWords(a.columns)) },
  },
  transpose_bits: { operands: { spikes: 'read', transposed: 'write' }, attributes: ROWS },
});

const MIN_LOG_INPUT = 1e-10;

/** sqrt(8 / pi): the tanh form of GELU as x * sigmoid(z). */
const GELU_SLOPE = Math.sqrt(8 / Math.PI);

/**
 * Functions of one number: sigmoid and softplus keep a trained number in its range, (0, 1) and positive;
 * the natural logarithm takes inputs below MIN_LOG_INPUT for that; relu is the rectifier of float networks, gelu its
 * smooth form (by tanh).
 */
const activations = {
  sigmoid: 'sigmoid(input)',
  softplus: '0.5 * (input + abs(input)) + log(1 + exp(-abs(input)))',
  log: `log(max(input, ${MIN_LOG_INPUT}))`,
  relu: 'max(input, 0)',
  gelu: `input * sigmoid(input * ${GELU_SLOPE} * madd(input * input, 0.044715, 1))`,
} as const;
export type Activation = keyof typeof activations;
export const ACTIVATIONS = Object.keys(activations) as Activation[];

/** The function of a name, element by element. */
export const activation = (name: unknown): Definition => ({
  over: { element: 'count' },
  shapes: { input: 'f32[count]', output: 'f32[count]' },
  equations: `output = ${activations[name as Activation]}`,
});

/** Functions element by element, and their gradients. */
export const activationKernels = kernelsOf('activation', {
  activation_forward: {
    operands: { input: 'read', output: 'write' },
    attributes: { count: 'int', activation: ACTIVATIONS },
    write: equations(({ activation: name }) => activation(name)),
  },
  activation_backward: {
    operands: { input: 'read', gradient: 'read', inputGradient: 'update' },
    attributes: { count: 'int', activation: ACTIVATIONS, ...ACCUMULATE },
    write: (choices, row) =>
      gradientOf(parseBody(row, activation(choices['activation']), choices), {
        given: { output: 'gradient' },
        wanted: { input: 'inputGradient' },
        accumulates: choices['accumulate'] === true,
      }),
  },
});

const NORM_SHAPES = {
  input: 'f32[rows, width]',
  gain: 'f32[width]',
  gradient: 'f32[rows, width]',
  inputGradient: 'f32[rows, width]',
  output: 'f32[rows, width]',
} as const;

const BY_ROWS = { over: { row: 'rows', column: 'width' } } as const;

/** Sums over the rows of a chunk, a line for each. */
const BY_CHUNKS = {
  over: { line: 'rows / chunk', row: 'rows', column: 'width' },
  scan: 'row',
  from: 'line * chunk',
  to: 'min(rows, line * chunk + chunk)',
} as const;

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
    /** In two passes, so that large means cost no digits. */
    write: equations({
      ...BY_ROWS,
      shapes: { ...NORM_SHAPES, offset: 'f32[width]', statistics: 'f32[rows, 2]' },
      equations: `
        share = 1 / f32(width)
        mean = rowSum(input) * share
        centred = input - mean
        rstd = 1 / sqrt(rowSum(centred * centred) * share + epsilon)
        output = madd(centred * rstd, gain, offset)
        statistics[row, 0] = mean
        statistics[row, 1] = rstd`,
    }),
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
    write: equations({
      ...BY_ROWS,
      shapes: { ...NORM_SHAPES, statistics: 'f32[rows, 2]' },
      equations: `
        share = 1 / f32(width)
        rstd = statistics[row, 1]
        h = gain * gradient
        n = (input - statistics[row, 0]) * rstd
        meanH = rowSum(h) * share
        meanProduct = rowSum(h * n) * share
        inputGradient (+)= rstd * (h - meanH - n * meanProduct)`,
    }),
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
    write: equations({
      ...BY_CHUNKS,
      shapes: {
        ...NORM_SHAPES,
        statistics: 'f32[rows, 2]',
        gainPartial: 'f32[rows / chunk, width]',
        offsetPartial: 'f32[rows / chunk, width]',
      },
      equations: `
        state gains = 0
        state offsets = 0
        n = (input - statistics[row, 0]) * statistics[row, 1]
        gains = madd(gradient, n, gains)
        offsets = offsets + gradient
        after
        gainPartial = gains
        offsetPartial = offsets`,
    }),
  },
  rms_norm_forward: {
    operands: { input: 'read', gain: 'read', output: 'write', statistics: 'write' },
    attributes: { ...ROWS, epsilon: 'float' },
    write: equations({
      ...BY_ROWS,
      shapes: { ...NORM_SHAPES, statistics: 'f32[rows]' },
      equations: `
        scale = 1 / sqrt(rowSum(input * input) / width + epsilon)
        output = input * scale * gain
        statistics = scale`,
    }),
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
    write: equations({
      ...BY_ROWS,
      shapes: { ...NORM_SHAPES, statistics: 'f32[rows]' },
      equations: `
        h = gain * gradient
        shrink = statistics * statistics * rowSum(h * input) / width
        inputGradient (+)= statistics * (h - input * shrink)`,
    }),
  },
  rms_norm_backward_parameters: {
    operands: { input: 'read', statistics: 'read', gradient: 'read', gainPartial: 'write' },
    attributes: PARTIAL_SUMS,
    write: equations({
      ...BY_CHUNKS,
      shapes: {
        ...NORM_SHAPES,
        statistics: 'f32[rows]',
        gainPartial: 'f32[rows / chunk, width]',
      },
      equations: `
        state gains = 0
        gains = madd(gradient, input * statistics, gains)
        after
        gainPartial = gains`,
    }),
  },
});

/** Each token mixed with the one before it. */
export const shiftKernels = kernelsOf('shift', {
  token_shift_forward: {
    operands: { input: 'read', mix: 'read', output: 'write' },
    attributes: SEQUENCES,
    write: equations({
      ...BY_ROWS,
      shapes: { input: 'f32[rows, width]', mix: 'f32[width]', output: 'f32[rows, width]' },
      equations: `
        before = row % sequence == 0 ? 0 : input[row - 1, column]
        output = madd(mix, input - before, before)`,
    }),
  },
  token_shift_backward_input: {
    operands: { gradient: 'read', mix: 'read', inputGradient: 'update' },
    attributes: { ...SEQUENCES, ...ACCUMULATE },
    write: equations({
      ...BY_ROWS,
      shapes: {
        gradient: 'f32[rows, width]',
        mix: 'f32[width]',
        inputGradient: 'f32[rows, width]',
      },
      equations: `
        following = row % sequence + 1 == sequence ? 0 : gradient[row + 1, column]
        inputGradient (+)= madd(mix, gradient - following, following)`,
    }),
  },
  token_shift_backward_mix: {
    operands: { input: 'read', gradient: 'read', partial: 'write' },
    attributes: { ...SEQUENCES, chunk: 'int' },
    write: equations({
      ...BY_CHUNKS,
      shapes: {
        input: 'f32[rows, width]',
        gradient: 'f32[rows, width]',
        partial: 'f32[rows / chunk, width]',
      },
      equations: `
        state sum = 0
        before = row % sequence == 0 ? 0 : input[row - 1, column]
        sum = madd(gradient, input - before, sum)
        after
        partial = sum`,
    }),
  },
  /** One token at a time; `slots` names the sequence that each row continues. */
  token_shift_step: {
    operands: { input: 'read', mix: 'read', slots: 'read', previous: 'update', output: 'write' },
    attributes: { ...STEPS, slots: 'int' },
    write: equations({
      over: { step: 'steps', row: 'rows', column: 'width' },
      shapes: {
        input: 'f32[steps, rows, width]',
        mix: 'f32[width]',
        slots: 'u32[rows]',
        previous: 'f32[steps, slots, width]',
        output: 'f32[steps, rows, width]',
      },
      equations: `
        slot = ${SLOT}
        before = ${IS_FRESH} ? 0 : previous[step, slot, column]
        output = madd(mix, input - before, before)
        previous[step, slot, column] = input`,
    }),
  },
});
