import { adamW } from '../optimizers/descent.ts';
import { cosineRate } from '../optimizers/schedules.ts';
import type { FitOptions } from './fit-options.ts';

/** Peak of the rate, which falls along half a cosine to nothing (docs/decisions/0044). */
const LEARNING_RATE = 3e-3;

/**
 * Optimizer and schedule of `fit`. Where no optimizer is given, AdamW at the rate that learned most in one epoch; one
 * that is given keeps its rate in all steps unless a schedule is given, too.
 */
export function optimizerOf({ optimizer, schedule }: Pick<FitOptions, 'optimizer' | 'schedule'>) {
  if (optimizer !== undefined) return { optimizer, ...(schedule && { schedule }) };
  return { optimizer: adamW(LEARNING_RATE), schedule: schedule ?? cosineRate() };
}
