import { coefficientOfVariation, intervalsOf } from '../../../../engine/index.ts';
import type { NeuronsText } from '../neurons-text.ts';

/** What the neuron did, in words: how often it fired, and how regularly. */
export function spikeSentences(
  { t, format }: NeuronsText,
  spikes: ArrayLike<number> | undefined,
  duration: number,
): string[] {
  if (!spikes) return [];
  if (spikes.length === 0) return [t('said.silent', { duration })];
  const latency = format.number(spikes[0] ?? Number.NaN);
  const said = t('said.spikes', { count: spikes.length, duration, latency });
  const train = Array.from(spikes);
  const intervals = intervalsOf(train);
  if (intervals.length === 0) return [said];
  const mean = intervals.reduce((sum, interval) => sum + interval, 0) / intervals.length;
  const variation = coefficientOfVariation(train) ?? Number.NaN;
  return [
    said,
    t('said.intervals', { mean: format.number(mean), variation: format.number(variation) }),
  ];
}
