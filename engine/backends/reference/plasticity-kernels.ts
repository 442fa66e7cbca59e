import { wordsPerRow } from '../../graph/tensor.ts';
import { at, bitAt, type ReferenceKernels, setBit, type Views } from './views.ts';
import type { Attributes } from '../../kernels/kernels.ts';
import { surrogates } from './neuron-kernels.ts';

type Visit = (source: number, target: number, synapse: number) => void;
interface Projection {
  readonly pre: number;
  readonly post: number;
}

/** The synapses of every source that fired. */
function fromFiredSources(
  { u, optional }: Views<'stdp_depress' | 'bcm_update'>,
  { pre, post }: Projection,
  visit: Visit,
): void {
  const isSparse = optional('rowStart') !== undefined;
  for (let i = 0; i < pre; i++) {
    if (!bitAt(u('spikes'), wordsPerRow(pre), 0, i)) continue;
    const start = isSparse ? at(u('rowStart'), i) : i * post;
    const end = isSparse ? at(u('rowStart'), i + 1) : start + post;
    for (let k = start; k < end; k++) visit(i, isSparse ? at(u('target'), k) : k - start, k);
  }
}

/** The synapses of every target that fired. */
function toFiredTargets(
  { u, optional }: Views<'stdp_potentiate'>,
  { pre, post }: Projection,
  visit: Visit,
): void {
  const isSparse = optional('columnStart') !== undefined;
  for (let j = 0; j < post; j++) {
    if (!bitAt(u('spikes'), wordsPerRow(post), 0, j)) continue;
    const start = isSparse ? at(u('columnStart'), j) : 0;
    const end = isSparse ? at(u('columnStart'), j + 1) : pre;
    for (let c = start; c < end; c++) {
      if (isSparse) visit(at(u('source'), c), j, at(u('synapseOf'), c));
      else visit(c, j, c * post + j);
    }
  }
}

function clamp(value: number, { low, high }: { low: number; high: number }): number {
  return Math.min(high, Math.max(low, value));
}

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

export const plasticityKernels = {
  spike_trace: ({ f, u }, { rows, width, decay, increment, saturates }) => {
    const trace = f('trace');
    for (let i = 0; i < rows * width; i++) {
      const row = Math.floor(i / width);
      const fired = bitAt(u('spikes'), wordsPerRow(width), row, i % width) === 1;
      const kept = decay * at(trace, i);
      trace[i] = fired ? (saturates ? 0 : kept) + increment : kept;
    }
  },
  stdp_depress: (views, attributes) => {
    const { pair, triplet, slowDecay, low, soft } = attributes;
    const weight = views.f('weight');
    const slow = views.optional('slow');
    fromFiredSources(views, attributes, (i, j, k) => {
      const w = at(weight, k);
      const amplitude = pair + (slow ? triplet * slowDecay * at(slow, i) : 0);
      const change = (soft ? w - low : 1) * amplitude * at(views.f('trace'), j);
      weight[k] = clamp(w - change, attributes);
    });
  },
  stdp_potentiate: (views, attributes) => {
    const { pair, triplet, slowDecay, high, soft } = attributes;
    const weight = views.f('weight');
    const slow = views.optional('slow');
    toFiredTargets(views, attributes, (i, j, k) => {
      const w = at(weight, k);
      const amplitude = pair + (slow ? triplet * slowDecay * at(slow, j) : 0);
      const change = (soft ? high - w : 1) * amplitude * at(views.f('trace'), i);
      weight[k] = clamp(w + change, attributes);
    });
  },
  reward_update: ({ f }, { count, decay, rate, low, high }) => {
    const [eligibility, weight] = [f('eligibility'), f('weight')];
    const surprise = at(f('reward'), 0) - at(f('reward'), 1);
    for (let k = 0; k < count; k++) {
      const c = at(eligibility, k);
      weight[k] = clamp(at(weight, k) + rate * surprise * c, { low, high });
      eligibility[k] = decay * c;
    }
  },
  bcm_update: (views, attributes) => {
    const weight = views.f('weight');
    fromFiredSources(views, attributes, (_, j, k) => {
      const y = at(views.f('activity'), j);
      const change = attributes.rate * y * (y - at(views.f('threshold'), j));
      weight[k] = clamp(at(weight, k) + change, attributes);
    });
  },
  bcm_threshold: ({ f }, { count, setpoint, rate }) => {
    const threshold = f('threshold');
    for (let j = 0; j < count; j++) {
      const y = at(f('activity'), j);
      threshold[j] = at(threshold, j) + (y ** 2 / setpoint - at(threshold, j)) * rate;
    }
  },
  synaptic_scaling: ({ f, u, optional }, { count, post, gain, setpoint, interval, low, high }) => {
    if (at(u('clock'), 0) % interval !== 0) return;
    const weight = f('weight');
    const isSparse = optional('target') !== undefined;
    for (let k = 0; k < count; k++) {
      const j = isSparse ? at(u('target'), k) : k % post;
      const factor = 1 + gain * (setpoint - at(f('rate'), j));
      weight[k] = clamp(at(weight, k) * factor, { low, high });
    }
  },
  incoming_normalise: ({ f, u, optional }, { pre, post, total }) => {
    const weight = f('weight');
    const isSparse = optional('columnStart') !== undefined;
    for (let j = 0; j < post; j++) {
      const start = isSparse ? at(u('columnStart'), j) : 0;
      const end = isSparse ? at(u('columnStart'), j + 1) : pre;
      const placeOf = (c: number) => (isSparse ? at(u('synapseOf'), c) : c * post + j);
      let sum = 0;
      for (let c = start; c < end; c++) sum += at(weight, placeOf(c));
      if (sum <= 0) continue;
      for (let c = start; c < end; c++) weight[placeOf(c)] = (at(weight, placeOf(c)) * total) / sum;
    }
  },
  competing_lif: ({ f, u }, attributes) => {
    const { rows, width, decay, threshold, reset, refractorySteps } = attributes;
    const [membrane, refractory, spikes] = [f('membrane'), u('refractory'), u('spikes').fill(0)];
    for (let i = 0; i < rows * width; i++) {
      const isRested = at(refractory, i) === 0;
      const v = decay * at(membrane, i) + (isRested ? at(f('current'), i) : 0);
      const fires = isRested && v > threshold + at(f('offset'), i % width);
      membrane[i] = fires ? reset : v;
      refractory[i] = fires ? refractorySteps : Math.max(at(refractory, i), 1) - 1;
      if (fires) setBit(spikes, wordsPerRow(width), Math.floor(i / width), i % width);
    }
  },
  lateral_inhibition: ({ f, u }, { rows, width, strength }) => {
    const membrane = f('membrane');
    for (let row = 0; row < rows; row++) {
      const fired = (n: number) => bitAt(u('spikes'), wordsPerRow(width), row, n);
      let count = 0;
      for (let n = 0; n < width; n++) count += fired(n);
      for (let n = 0; n < width; n++) {
        const i = row * width + n;
        membrane[i] = at(membrane, i) - strength * (count - fired(n));
      }
    }
  },
  select_step: ({ f, u }, { count, steps }) => {
    const start = (at(u('clock'), 0) % steps) * count;
    f('target').set(f('source').subarray(start, start + count));
    u('target').set(u('source').subarray(start, start + count));
  },
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
