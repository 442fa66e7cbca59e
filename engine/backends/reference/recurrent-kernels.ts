import { wordsPerRow } from '../../graph/tensor.ts';
import { surrogates } from './neuron-kernels.ts';
import { at, type ReferenceKernels, setBit } from './views.ts';

export const recurrentKernels = {
  recurrent_lif_forward: ({ f, u, optional }, attributes) => {
    const { steps, rows, width, currentSteps, beta, threshold } = attributes;
    const current = f('current');
    const weight = f('weight');
    const bias = optional('bias');
    const membrane = f('membrane');
    const spikes = u('spikes').fill(0);
    for (let i = 0; i < steps * rows * width; i++) {
      const neuron = i % width;
      let potential = at(current, currentSteps === 1 ? i % (rows * width) : i);
      if (bias) potential += at(bias, neuron);
      const before = i - rows * width;
      if (before >= 0) {
        const last = at(membrane, before);
        potential += beta * last - (last > threshold ? threshold : 0);
        const row = before - neuron;
        for (let k = 0; k < width; k++) {
          if (at(membrane, row + k) > threshold) potential += at(weight, k * width + neuron);
        }
      }
      membrane[i] = potential;
      if (potential > threshold) {
        setBit(spikes, wordsPerRow(width), Math.floor(i / width), neuron);
      }
    }
  },
  recurrent_lif_backward: ({ f }, { steps, rows, width, beta, threshold, surrogate }) => {
    const membrane = f('membrane');
    const weight = f('weight');
    const gradient = f('gradient');
    const slope = surrogates[surrogate];
    for (let i = steps * rows * width - 1; i >= 0; i--) {
      const neuron = i % width;
      const after = i + rows * width;
      let heard = at(gradient, i);
      let carried = 0;
      if (after < gradient.length) {
        carried = beta * at(gradient, after);
        const row = after - neuron;
        for (let n = 0; n < width; n++) {
          heard += at(weight, neuron * width + n) * at(gradient, row + n);
        }
      }
      gradient[i] = heard * slope(at(membrane, i) - threshold) + carried;
    }
  },
  delay_steps: ({ f, u }, { count, delay }) => {
    for (const target of [f('target'), u('target')]) {
      const source = target instanceof Uint32Array ? u('source') : f('source');
      target.set(source.subarray(0, Math.max(0, source.length - delay * count)), delay * count);
      target.fill(0, 0, delay * count);
    }
  },
} satisfies Partial<ReferenceKernels>;
