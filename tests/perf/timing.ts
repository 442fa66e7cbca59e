import { median } from './report.ts';

export interface Timing {
  /** Milliseconds a run, of the middle and of the fastest group of runs. */
  readonly median: number;
  readonly best: number;
}

/** Compilers replace code that runs often by faster code in the first of these. */
const WARM_UP_MS = 500;
const GROUPS = 15;
const GROUP_MS = 60;

/** Runs again and again in groups long enough for the clock. */
export function timeOf(run: () => void): Timing {
  const started = performance.now();
  let runs = 0;
  while (performance.now() - started < WARM_UP_MS) {
    run();
    runs++;
  }
  const count = Math.max(1, Math.ceil((runs * GROUP_MS) / (performance.now() - started)));
  const groups = Array.from({ length: GROUPS }, () => {
    const start = performance.now();
    for (let i = 0; i < count; i++) run();
    return (performance.now() - start) / count;
  });
  return { median: median(groups), best: Math.min(...groups) };
}
