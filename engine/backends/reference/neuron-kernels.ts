import type { Surrogate } from '../../kernels/neurons.ts';
import { wordsPerRow } from '../../graph/tensor.ts';
import { parseSlot } from '../../kernels/slots.ts';
import { at, bitAt, type ReferenceKernels, setBit } from './views.ts';

const SLOPE = 25;
const TRIANGLE_HEIGHT = 0.3;

/** The slope that stands in for the derivative of a spike, at x = membrane - threshold. */
export const surrogates: Readonly<Record<Surrogate, (x: number) => number>> = {
  atan: (x) => 1 / (1 + (Math.PI * x) ** 2),
  fast_sigmoid: (x) => 1 / (1 + SLOPE * Math.abs(x)) ** 2,
  sigmoid: (x) => {
    const s = 1 / (1 + Math.exp(-SLOPE * x));
    return SLOPE * s * (1 - s);
  },
  triangle: (x) => TRIANGLE_HEIGHT * Math.max(0, 1 - Math.abs(x)),
};

export const neuronKernels = {
  spike_count: ({ u }, { rows, width }) => {
    const counts = u('counts');
    const spikes = u('spikes');
    for (let r = 0; r < rows; r++) {
      for (let n = 0; n < width; n++) {
        counts[n] = at(counts, n) + bitAt(spikes, wordsPerRow(width), r, n);
      }
    }
  },
  slot_spike_count: ({ u }, { steps, rows, width, layers, layer }) => {
    const counts = u('counts');
    const spikes = u('spikes');
    for (let row = 0; row < rows; row++) {
      const { slot, isFresh } = parseSlot(at(u('slots'), row));
      const to = slot * layers + layer;
      let sum = isFresh ? 0 : at(counts, to);
      for (let t = 0; t < steps; t++) {
        for (let n = 0; n < width; n++) {
          sum += bitAt(spikes, wordsPerRow(width), t * rows + row, n);
        }
      }
      counts[to] = sum;
    }
  },
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
  delay_features: ({ f, u }, { steps, rows, width, depth }) => {
    const [input, past, output] = [f('input'), f('past'), f('output')];
    const count = rows * width;
    // All that is known, from the oldest step of the past to the last of this play.
    const known = new Float64Array((depth + steps) * count);
    known.set(past);
    known.set(input, depth * count);
    for (let t = 0; t < steps; t++) {
      for (let i = 0; i < count; i++) {
        const from = depth + t - at(u('delays'), i % width);
        output[t * count + i] = at(known, from * count + i);
      }
    }
    past.set(known.subarray(steps * count));
  },
} satisfies Partial<ReferenceKernels>;
