import type { Budget } from '../settings/run-settings.ts';
import type { TrainingControls } from '../settings/controls.ts';

/** How far a run has come. */
interface Elapsed {
  /** Steps of the budget that are spent; where several trainers train one model, those of all. */
  readonly step: number;
  /** Seconds spent training, over all sessions of the run. */
  readonly seconds: number;
}

/** Steps in all, where the budget says so beforehand; undefined for a budget in minutes. */
export function totalSteps(budget: Budget, stepsPerEpoch: number): number | undefined {
  if (budget.kind === 'steps') return budget.steps;
  if (budget.kind === 'epochs') return Math.max(1, Math.round(budget.epochs * stepsPerEpoch));
  return undefined;
}

/** Fraction of the budget that is spent, from 0 to 1. */
export function progressOf(budget: Budget, stepsPerEpoch: number, elapsed: Elapsed): number {
  const total = totalSteps(budget, stepsPerEpoch);
  if (total !== undefined) return Math.min(1, elapsed.step / total);
  return budget.kind === 'minutes' ? Math.min(1, elapsed.seconds / (budget.minutes * 60)) : 1;
}

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
