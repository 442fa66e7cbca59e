import { expect, it } from 'vitest';
import { faultsIn, lineOf, runFuzz, totalOf } from '../fuzz/run-fuzz.ts';
import { targets } from '../fuzz/targets.ts';

const CASES = 50_000;
const MOST_MINUTES = 8;

it('no parser crashes, hangs or grows without bound, whatever it is given', async () => {
  const started = performance.now();
  const outcomes = await runFuzz({ count: CASES, onOutcome: (one) => console.log(lineOf(one)) });
  const minutes = (performance.now() - started) / 60_000;
  console.log(
    `${totalOf(outcomes)} mutated inputs of ${outcomes.length} parsers in ${minutes.toFixed(1)} minutes`,
  );

  expect(outcomes.flatMap(faultsIn)).toEqual([]);
  expect(totalOf(outcomes)).toBe(CASES * targets.length);
  expect(minutes).toBeLessThan(MOST_MINUTES);
});
