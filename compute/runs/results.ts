import { shortNumber } from './chart.ts';
import { type MetricLine, numbersOf } from './metrics-file.ts';

/** They tell where a line stands, and measure nothing. */
export const UNDRAWN: ReadonlySet<string> = new Set(['epoch', 'seconds']);

/** Metrics of which more is better. */
export const HIGHER = /accuracy|top_\d|recall|tokens_per_s|examples_per_s/;

/** Each metric with its last value and its best. */
export function resultsOf(lines: readonly MetricLine[]): string[][] {
  return Array.from(bestOf(lines), ([name, { last, best, step }]) => [
    name,
    shortNumber(last),
    best === undefined ? '' : `${shortNumber(best)} at step ${step}`,
  ]);
}

export interface Result {
  readonly last: number;
  /** Left out where neither more nor less is better. */
  readonly best?: number;
  readonly step: number;
}

/** Last and best values of metrics by name, such as `val_loss`. */
export function bestOf(lines: readonly MetricLine[]): ReadonlyMap<string, Result> {
  const results = new Map<string, Result>();
  for (const line of lines) {
    for (const [name, last] of numbersOf(line)) {
      if (name.includes('/') || UNDRAWN.has(name) || !Number.isFinite(last)) continue;
      results.set(name, resultAfter(results.get(name), { name, last, step: line.step }));
    }
  }
  return results;
}

interface Measured {
  readonly name: string;
  readonly last: number;
  readonly step: number;
}

function resultAfter(before: Result | undefined, { name, last, step }: Measured): Result {
  const isHigher = HIGHER.test(name);
  if (!isHigher && !name.includes('loss')) return { last, step };
  const best = before?.best;
  const isBetter = best === undefined || (isHigher ? last > best : last < best);
  return isBetter
    ? { last, best: last, step }
    : { ...before, last, best, step: before?.step ?? step };
}
