import { at, type ReferenceKernels } from './views.ts';

/** sqrt(8 / pi): the tanh form of GELU as x * sigmoid(z). */
const SLOPE = Math.sqrt(8 / Math.PI);
const CUBIC = 0.044715;

export const transformerKernels: ReferenceKernels<
  'position_forward' | 'gelu_forward' | 'gelu_backward'
> = {
  position_forward: ({ f }, { rows, width, sequence }) => {
    const output = f('output');
    for (let i = 0; i < rows * width; i++) {
      output[i] = at(f('input'), i) + at(f('table'), i % (sequence * width));
    }
  },
  gelu_forward: ({ f }, { count }) => {
    const output = f('output');
    for (let i = 0; i < count; i++) {
      const x = at(f('input'), i);
      output[i] = x * gate(x);
    }
  },
  gelu_backward: ({ f }, { count, accumulate }) => {
    const target = f('inputGradient');
    for (let i = 0; i < count; i++) {
      const x = at(f('input'), i);
      const s = gate(x);
      const slope = s + x * s * (1 - s) * SLOPE * (1 + 3 * CUBIC * x ** 2);
      target[i] = at(f('gradient'), i) * slope + (accumulate ? at(target, i) : 0);
    }
  },
};

function gate(x: number): number {
  return 1 / (1 + Math.exp(-SLOPE * (x + CUBIC * x ** 3)));
}
