import type { LayerActivity } from '../../../../engine/index.ts';
import type { RateBins } from '../../../widgets/histogram/bin-rates.ts';

/** A layer with a larger share of neurons that never fire learns less than it could. */
const MANY_DEAD = 0.2;

export function hasManyDead({ dead }: LayerActivity): boolean {
  return dead > MANY_DEAD;
}

/**
 * What the engine counted over the validation text, as the histogram draws it: the dead out of the
 * first bin and the saturated out of the last, each set apart.
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
    // What is left of the last bin fired at exactly its lower edge: it belongs to the one before.
    bins: live
      .slice(0, last)
      .map((bin, index) =>
        index === last - 1 ? { ...bin, count: bin.count + (live[last]?.count ?? 0) } : bin,
      ),
    centre: { kind: 'mean', rate },
  };
}
