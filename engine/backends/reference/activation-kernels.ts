import { type Activation, MIN_LOG_INPUT } from '../../kernels/dense.ts';
import { at, type ReferenceKernels } from './views.ts';

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

export const activationKernels = {
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
} satisfies Partial<ReferenceKernels>;
