import type { Budget } from '../settings/run-settings.ts';

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
