import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RateTest } from '../../engine/index.ts';
import { chartsOf } from './chart.ts';
import { jsonText, RATE_CURVE, RATE_TEST, writeWhole } from './run-files.ts';

/** Writes the range test of a run's learning rate into its folder: its numbers and its curve. */
export async function keepRateTest(folder: string, test: RateTest): Promise<void> {
  const pointsOf = (losses: readonly number[]) =>
    losses.map((loss, at) => [Math.log10(test.rates[at] ?? 1), loss] as const);
  const [curve] = chartsOf('loss by the common logarithm of the learning rate', [
    { name: 'each step', points: pointsOf(test.losses) },
    { name: 'smoothed', points: pointsOf(test.smoothed) },
  ]);
  await writeWhole(join(folder, RATE_TEST), jsonText(test));
  if (curve !== undefined) await writeWhole(join(folder, RATE_CURVE), curve);
}

/** The curve that is in a run's folder, as SVG; undefined where its rate was not tested. */
export async function rateCurveOf(folder: string): Promise<string | undefined> {
  const path = join(folder, RATE_CURVE);
  return existsSync(path) ? readFile(path, 'utf8') : undefined;
}
