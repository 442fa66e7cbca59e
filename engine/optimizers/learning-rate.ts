import type { TrainingControls } from '../settings/controls.ts';

/**
 * The learning rate at a share of the budget: a linear warm-up, multiplied into a cosine from the
 * submitted rate at `decayStart` to `finalRate` of it at the end.
 */
export function learningRateAt(
  submitted: number,
  { warmup, decayStart, finalRate }: Pick<TrainingControls, 'warmup' | 'decayStart' | 'finalRate'>,
  progress: number,
  total: number | undefined,
): number {
  // The first step is not wasted on a rate of zero.
  const reached = progress + 1 / (total ?? 1000);
  const rise = warmup > 0 ? Math.min(1, reached / warmup) : 1;
  const decayed = progress > decayStart ? (progress - decayStart) / (1 - decayStart) : 0;
  const cosine = 0.5 * (1 + Math.cos(Math.PI * Math.min(1, decayed)));
  return submitted * rise * (finalRate + (1 - finalRate) * cosine);
}
