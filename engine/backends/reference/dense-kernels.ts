import { type Activation, MIN_LOG_INPUT } from '../../kernels/dense.ts';
import { at, type ReferenceKernels } from './views.ts';
import { parseSlot } from '../../kernels/slots.ts';

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

/** sqrt(8 / pi): the tanh form of GELU as x * sigmoid(z). */
const SLOPE = Math.sqrt(8 / Math.PI);
const CUBIC = 0.044715;
const gate = (x: number) => sigmoid(SLOPE * (x + CUBIC * x ** 3));

interface Differentiable {
  value(x: number): number;
  slope(x: number): number;
}

const activations: Readonly<Record<Activation, Differentiable>> = {
  sigmoid: { value: sigmoid, slope: (x) => sigmoid(x) * (1 - sigmoid(x)) },
  softplus: {
    value: (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))),
    slope: sigmoid,
  },
  log: {
    value: (x) => Math.log(Math.max(x, MIN_LOG_INPUT)),
    slope: (x) => (x > MIN_LOG_INPUT ? 1 / x : 0),
  },
  relu: { value: (x) => Math.max(x, 0), slope: (x) => (x > 0 ? 1 : 0) },
  gelu: {
    value: (x) => x * gate(x),
    slope(x) {
      const s = gate(x);
      return s + x * s * (1 - s) * SLOPE * (1 + 3 * CUBIC * x ** 2);
    },
  },
};

function meanOf(width: number, term: (column: number) => number): number {
  let sum = 0;
  for (let c = 0; c < width; c++) sum += term(c);
  return sum / width;
}

/** The same feature of the token before; zero at the start of a sequence. */
function before(input: Float64Array, i: number, width: number, sequence: number): number {
  return Math.floor(i / width) % sequence === 0 ? 0 : at(input, i - width);
}

export const denseKernels = {
  activation_forward: ({ f }, { count, activation }) => {
    const [input, output] = [f('input'), f('output')];
    for (let i = 0; i < count; i++) output[i] = activations[activation].value(at(input, i));
  },
  activation_backward: ({ f }, { count, activation, accumulate }) => {
    const [input, gradient, output] = [f('input'), f('gradient'), f('inputGradient')];
    for (let i = 0; i < count; i++) {
      const change = at(gradient, i) * activations[activation].slope(at(input, i));
      output[i] = (accumulate ? at(output, i) : 0) + change;
    }
  },
  layer_norm_forward: ({ f }, { rows, width, epsilon }) => {
    const input = f('input');
    const output = f('output');
    const statistics = f('statistics');
    for (let r = 0; r < rows; r++) {
      const x = (c: number) => at(input, r * width + c);
      const mean = meanOf(width, x);
      const rstd = 1 / Math.sqrt(meanOf(width, (c) => (x(c) - mean) ** 2) + epsilon);
      for (let c = 0; c < width; c++) {
        output[r * width + c] = (x(c) - mean) * rstd * at(f('gain'), c) + at(f('offset'), c);
      }
      statistics[2 * r] = mean;
      statistics[2 * r + 1] = rstd;
    }
  },
  layer_norm_backward_input: ({ f }, { rows, width, accumulate }) => {
    const target = f('inputGradient');
    for (let r = 0; r < rows; r++) {
      const mean = at(f('statistics'), 2 * r);
      const rstd = at(f('statistics'), 2 * r + 1);
      const h = (c: number) => at(f('gain'), c) * at(f('gradient'), r * width + c);
      const normalised = (c: number) => (at(f('input'), r * width + c) - mean) * rstd;
      const meanH = meanOf(width, h);
      const meanProduct = meanOf(width, (c) => h(c) * normalised(c));
      for (let c = 0; c < width; c++) {
        const value = rstd * (h(c) - meanH - normalised(c) * meanProduct);
        const to = r * width + c;
        target[to] = value + (accumulate ? at(target, to) : 0);
      }
    }
  },
  layer_norm_backward_parameters: ({ f }, { rows, width, chunk }) => {
    const gain = f('gainPartial').fill(0);
    const offset = f('offsetPartial').fill(0);
    for (let r = 0; r < rows; r++) {
      const mean = at(f('statistics'), 2 * r);
      const rstd = at(f('statistics'), 2 * r + 1);
      for (let c = 0; c < width; c++) {
        const to = Math.floor(r / chunk) * width + c;
        const gradient = at(f('gradient'), r * width + c);
        gain[to] = at(gain, to) + gradient * (at(f('input'), r * width + c) - mean) * rstd;
        offset[to] = at(offset, to) + gradient;
      }
    }
  },
  rms_norm_forward: ({ f }, { rows, width, epsilon }) => {
    const input = f('input');
    const output = f('output');
    const statistics = f('statistics');
    for (let r = 0; r < rows; r++) {
      const x = (c: number) => at(input, r * width + c);
      const scale = 1 / Math.sqrt(meanOf(width, (c) => x(c) ** 2) + epsilon);
      for (let c = 0; c < width; c++) output[r * width + c] = x(c) * scale * at(f('gain'), c);
      statistics[r] = scale;
    }
  },
  rms_norm_backward_input: ({ f }, { rows, width, accumulate }) => {
    const target = f('inputGradient');
    for (let r = 0; r < rows; r++) {
      const scale = at(f('statistics'), r);
      const x = (c: number) => at(f('input'), r * width + c);
      const h = (c: number) => at(f('gain'), c) * at(f('gradient'), r * width + c);
      const shrink = scale ** 2 * meanOf(width, (c) => h(c) * x(c));
      for (let c = 0; c < width; c++) {
        const to = r * width + c;
        target[to] = scale * (h(c) - x(c) * shrink) + (accumulate ? at(target, to) : 0);
      }
    }
  },
  rms_norm_backward_parameters: ({ f }, { rows, width, chunk }) => {
    const gain = f('gainPartial').fill(0);
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < width; c++) {
        const to = Math.floor(r / chunk) * width + c;
        const from = r * width + c;
        const term = at(f('gradient'), from) * at(f('input'), from) * at(f('statistics'), r);
        gain[to] = at(gain, to) + term;
      }
    }
  },
  token_shift_forward: ({ f }, { rows, width, sequence }) => {
    const output = f('output');
    for (let i = 0; i < rows * width; i++) {
      const mix = at(f('mix'), i % width);
      output[i] = mix * at(f('input'), i) + (1 - mix) * before(f('input'), i, width, sequence);
    }
  },
  token_shift_backward_input: ({ f }, { rows, width, sequence, accumulate }) => {
    const target = f('inputGradient');
    for (let i = 0; i < rows * width; i++) {
      const mix = at(f('mix'), i % width);
      const isLast = (Math.floor(i / width) % sequence) + 1 === sequence;
      const following = isLast ? 0 : at(f('gradient'), i + width);
      const value = mix * at(f('gradient'), i) + (1 - mix) * following;
      target[i] = value + (accumulate ? at(target, i) : 0);
    }
  },
  token_shift_backward_mix: ({ f }, { rows, width, sequence, chunk }) => {
    const partial = f('partial').fill(0);
    for (let i = 0; i < rows * width; i++) {
      const to = Math.floor(Math.floor(i / width) / chunk) * width + (i % width);
      const change = at(f('input'), i) - before(f('input'), i, width, sequence);
      partial[to] = at(partial, to) + at(f('gradient'), i) * change;
    }
  },
  token_shift_step: ({ f, u }, { steps, rows, width, slots }) => {
    const previous = f('previous');
    const output = f('output');
    for (let i = 0; i < steps * rows * width; i++) {
      const row = Math.floor(i / width);
      const { slot, isFresh } = parseSlot(at(u('slots'), row % rows));
      const kept = (Math.floor(row / rows) * slots + slot) * width + (i % width);
      const mix = at(f('mix'), i % width);
      output[i] = mix * at(f('input'), i) + (1 - mix) * (isFresh ? 0 : at(previous, kept));
      previous[kept] = at(f('input'), i);
    }
  },
} satisfies Partial<ReferenceKernels>;
