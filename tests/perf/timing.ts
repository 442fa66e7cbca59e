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

/** Runs again and again in groups; `prepare` comes before each run and does not count. */
export function timeOf(run: () => void, prepare: () => void = () => {}): Timing {
  const timed = () => {
    prepare();
    const start = performance.now();
    run();
    return performance.now() - start;
  };
  const started = performance.now();
  let runs = 0;
  while (performance.now() - started < WARM_UP_MS) {
    timed();
    runs++;
  }
  const count = Math.max(1, Math.ceil((runs * GROUP_MS) / (performance.now() - started)));
  const groups = Array.from({ length: GROUPS }, () => {
    let total = 0;
    for (let i = 0; i < count; i++) total += timed();
    return total / count;
  });
  return { median: median(groups), best: Math.min(...groups) };
}
