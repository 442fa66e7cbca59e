import { expect, it } from 'vitest';
import { faultsIn, lineOf, runFuzz, totalOf } from '../fuzz/run-fuzz.ts';
import { targets } from '../fuzz/targets.ts';

const CASES = 50_000;
/** Of two processors; measured as CPU time, as other processes may use them too. */
const MAX_MINUTES = 8;
const WORKERS = 2;

it('no parser crashes, hangs or grows without bound, whatever it is given', async () => {
  const started = performance.now();
  const outcomes = await runFuzz({
    count: CASES,
    workers: WORKERS,
    onOutcome: (one) => console.log(lineOf(one)),
  });
  const minutes = (performance.now() - started) / 60_000;
  const cpuSeconds = outcomes.reduce((sum, one) => sum + one.cpuSeconds, 0);
  const busy = cpuSeconds / WORKERS / 60;
  console.log(
    `${totalOf(outcomes)} mutated inputs of ${outcomes.length} parsers in ${minutes.toFixed(1)} minutes, ` +
      `${busy.toFixed(1)} of them of ${WORKERS} processors`,
  );

  expect(outcomes.flatMap(faultsIn)).toEqual([]);
  expect(totalOf(outcomes)).toBe(CASES * targets.length);
  expect(busy).toBeLessThan(MAX_MINUTES);
});
