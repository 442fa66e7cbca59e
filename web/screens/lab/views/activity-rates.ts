import type { LayerActivity } from '../../../../engine/index.ts';
import type { RateBins } from '../../../widgets/histogram/bin-rates.ts';

/** A layer with a larger fraction of neurons that never fire learns less than it could. */
const MANY_DEAD = 0.2;

export function hasManyDead({ dead }: LayerActivity): boolean {
  return dead > MANY_DEAD;
}

/**
 * Histogram bins of the engine's counts over the validation text: dead neurons are taken out of the
 * first bin and saturated ones out of the last, and both are shown separately.
 */
export function ratesOf({ neurons, rate, dead, saturated, histogram }: LayerActivity): RateBins {
  const deadCount = Math.round(dead * neurons);
  const saturatedCount = Math.round(saturated * neurons);
  const width = 1 / histogram.length;
  const last = histogram.length - 1;
  const live = histogram.map((count, bin) => {
    const apart = (bin === 0 ? deadCount : 0) + (bin === last ? saturatedCount : 0);
    return { from: bin * width, to: (bin + 1) * width, count: count - apart };
  });
  return {
    neurons,
    dead: deadCount,
    saturated: saturatedCount,
    saturatedAt: 1 - width,
    // The rest of the last bin fired at exactly its lower edge: it belongs to the bin before.
    bins: live
      .slice(0, last)
      .map((bin, index) =>
        index === last - 1 ? { ...bin, count: bin.count + (live[last]?.count ?? 0) } : bin,
      ),
    centre: { kind: 'mean', rate },
  };
}
