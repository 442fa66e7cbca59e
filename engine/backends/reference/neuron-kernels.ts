import type { Attributes } from '../../kernels/kernels.ts';
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

/** Runs every neuron through all steps and reports each membrane before its reset. */
function integrate(
  current: Float64Array,
  { steps, rows, width, currentSteps, beta, threshold }: Attributes<'lif_forward'>,
  visit: (t: number, neuron: number, membrane: number) => void,
): void {
  const neurons = rows * width;
  for (let i = 0; i < neurons; i++) {
    let membrane = 0;
    let fired = false;
    for (let t = 0; t < steps; t++) {
      const drive = at(current, currentSteps === 1 ? i : t * neurons + i);
      membrane = beta * membrane + drive - (fired ? threshold : 0);
      fired = membrane > threshold;
      visit(t, i, membrane);
    }
  }
}

/** Carries the gradient of spikes back through the steps and reports that of the current in each. */
function carryBack(
  current: { readonly values: Float64Array; readonly steps: number },
  gradient: Float64Array,
  attributes: Attributes<'lif_backward'>,
  visit: (index: number, neuron: number, carried: number) => void,
): void {
  const { steps, rows, width, beta, threshold, surrogate } = attributes;
  const slope = surrogates[surrogate];
  const neurons = rows * width;
  const slopes = new Float64Array(steps * neurons);
  const lif = { ...attributes, currentSteps: current.steps };
  integrate(current.values, lif, (t, i, membrane) => {
    slopes[t * neurons + i] = slope(membrane - threshold);
  });
  for (let i = 0; i < neurons; i++) {
    let carried = 0;
    for (let t = steps - 1; t >= 0; t--) {
      const index = t * neurons + i;
      carried = at(gradient, index) * at(slopes, index) + beta * carried;
      visit(index, i, carried);
    }
  }
}

/** The attributes with the beta that moves, where there is one. */
function withMoving<A extends { readonly beta: number }>(
  attributes: A,
  decay: Float64Array | undefined,
): A {
  return decay ? { ...attributes, beta: at(decay, 0) } : attributes;
}

export const neuronKernels = {
  lif_forward: ({ f, u, optional }, given) => {
    const attributes = withMoving(given, optional('decay'));
    const { rows, width, threshold } = attributes;
    const spikes = u('spikes').fill(0);
    integrate(f('current'), attributes, (t, i, membrane) => {
      if (membrane > threshold) {
        setBit(spikes, wordsPerRow(width), t * rows + Math.floor(i / width), i % width);
      }
    });
  },
  lif_membrane: ({ f, optional }, given) => {
    const attributes = withMoving(given, optional('decay'));
    const membranes = f('membrane');
    const neurons = attributes.rows * attributes.width;
    integrate(f('current'), attributes, (t, i, membrane) => {
      membranes[t * neurons + i] = membrane;
    });
  },
  lif_backward: ({ f, optional }, given) => {
    const attributes = withMoving(given, optional('decay'));
    const current = { values: f('current'), steps: attributes.steps };
    const gradient = f('gradient');
    carryBack(current, gradient, attributes, (index, _neuron, carried) => {
      gradient[index] = carried;
    });
  },
  lif_backward_held: ({ f, optional }, given) => {
    const attributes = withMoving(given, optional('decay'));
    const current = { values: f('current'), steps: 1 };
    const output = f('currentGradient').fill(0);
    carryBack(current, f('spikeGradient'), attributes, (_index, neuron, carried) => {
      output[neuron] = at(output, neuron) + carried;
    });
  },
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
  lif_membrane_backward: ({ f }, { steps, rows, width, currentSteps, beta }) => {
    const neurons = rows * width;
    const gradient = f('gradient');
    const output = f('currentGradient').fill(0);
    for (let i = 0; i < neurons; i++) {
      let carried = 0;
      for (let t = steps - 1; t >= 0; t--) {
        carried = at(gradient, t * neurons + i) + beta * carried;
        const to = currentSteps === 1 ? i : t * neurons + i;
        output[to] = at(output, to) + carried;
      }
    }
  },
  membrane_spike_count: ({ f, u }, { steps, rows, width, threshold }) => {
    const neurons = rows * width;
    const membrane = f('membrane');
    const counts = u('counts').fill(0);
    for (let i = 0; i < steps * neurons; i++) {
      if (at(membrane, i) > threshold) counts[i % neurons] = at(counts, i % neurons) + 1;
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
  delay_steps: ({ f, u }, { count, delay }) => {
    for (const target of [f('target'), u('target')]) {
      const source = target instanceof Uint32Array ? u('source') : f('source');
      target.set(source.subarray(0, Math.max(0, source.length - delay * count)), delay * count);
      target.fill(0, 0, delay * count);
    }
  },
  integrate_fire: ({ f }, { steps, rows, width, reset: mode }) => {
    const [drive, parameters, membrane] = [f('drive'), f('parameters'), f('membrane')];
    const output = f('output');
    const count = rows * width;
    for (let i = 0; i < count; i++) {
      const [decay, gain, drift, threshold, reset] = [0, 1, 2, 3, 4].map((line) =>
        at(parameters, line * width + (i % width)),
      ) as [number, number, number, number, number];
      let v = at(membrane, i);
      for (let t = 0; t < steps; t++) {
        let u = decay * v + gain * at(drive, t * count + i) + drift;
        if (mode === 'delayed' && v > threshold) u -= reset;
        const fires = u > threshold;
        output[t * count + i] = mode === 'none' ? u : Number(fires);
        v = u;
        if (fires && mode === 'value') v = reset;
        if (fires && mode === 'subtract') v = u - reset;
      }
      membrane[i] = v;
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
