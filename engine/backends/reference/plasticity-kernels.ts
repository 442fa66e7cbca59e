import { wordsPerRow } from '../../graph/tensor.ts';
import { at, bitAt, type ReferenceKernels, type Views } from './views.ts';

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

export const plasticityKernels = {
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
  bcm_update: (views, attributes) => {
    const weight = views.f('weight');
    fromFiredSources(views, attributes, (_, j, k) => {
      const y = at(views.f('activity'), j);
      const change = attributes.rate * y * (y - at(views.f('threshold'), j));
      weight[k] = clamp(at(weight, k) + change, attributes);
    });
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
} satisfies Partial<ReferenceKernels>;
