import type { Attributes } from '../../kernels/kernels.ts';
import { wordsPerRow } from '../../graph/tensor.ts';
import { surrogates } from './neuron-kernels.ts';
import { at, bitAt, type ReferenceKernels, type Views } from './views.ts';

/** Filters eligibilities and adds the gradient; `eligibilityOf` gives that of a synapse in this step. */
function update(
  { f }: Views<'eprop_update' | 'eprop_adaptive_update'>,
  { rows, pre, post, decay }: Attributes<'eprop_update'>,
  eligibilityOf: (slope: number, trace: number, index: number) => number,
): void {
  const [filtered, gradient] = [f('eligibility'), f('gradient')];
  for (let b = 0; b < rows; b++) {
    for (let k = 0; k < pre * post; k++) {
      const [i, j] = [b * pre + Math.floor(k / post), b * post + (k % post)];
      const index = b * pre * post + k;
      const e = eligibilityOf(at(f('slope'), j), at(f('trace'), i), index);
      const next = decay * at(filtered, index) + e;
      filtered[index] = next;
      gradient[k] = at(gradient, k) + at(f('signal'), j) * next;
    }
  }
}

export const epropKernels = {
  eprop_neurons: ({ f, u }, attributes) => {
    const { rows, width, decay, threshold, adaptationDecay, adaptationGain, surrogate } =
      attributes;
    const [membrane, adaptation, spikes, slope] = [
      f('membrane'),
      f('adaptation'),
      u('spikes'),
      f('slope'),
    ];
    const words = wordsPerRow(width);
    for (let i = 0; i < rows * width; i++) {
      const [row, n] = [Math.floor(i / width), i % width];
      const fired = bitAt(spikes, words, row, n);
      const v = decay * at(membrane, i) + at(f('current'), i) - fired * threshold;
      const a = adaptationDecay * at(adaptation, i) + fired;
      const x = v - (threshold + adaptationGain * a);
      membrane[i] = v;
      adaptation[i] = a;
      slope[i] = surrogates[surrogate](x);
      const word = row * words + (n >>> 5);
      const others = at(spikes, word) & ~(1 << (n & 31));
      spikes[word] = others | (Number(x > 0) << (n & 31));
    }
  },
  eprop_update: (views, attributes) => {
    update(views, attributes, (slope, trace) => slope * trace);
  },
  eprop_adaptive_update: (views, attributes) => {
    const { adaptationDecay, adaptationGain } = attributes;
    const adaptation = views.f('adaptation');
    update(views, attributes, (slope, trace, index) => {
      const e = slope * (trace - adaptationGain * at(adaptation, index));
      adaptation[index] = adaptationDecay * at(adaptation, index) + e;
      return e;
    });
  },
  readout_error: ({ f }, { count, decay }) => {
    const [membrane, error, loss] = [f('membrane'), f('error'), f('loss')];
    for (let i = 0; i < count; i++) {
      const y = decay * at(membrane, i) + at(f('current'), i);
      const difference = y - at(f('target'), i);
      membrane[i] = y;
      error[i] = difference;
      loss[i] = at(loss, i) + difference ** 2 / 2;
    }
  },
} satisfies Partial<ReferenceKernels>;
