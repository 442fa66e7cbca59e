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
} satisfies Partial<ReferenceKernels>;
