import { Presets, SingleBar } from 'cli-progress';
import type { JobRecord } from '../../edge/training/contract/job.ts';
import { shortNumber } from '../runs/chart.ts';
import {
  bestRun,
  lastSuccess,
  type Outcome,
  outcomeOf,
  partsUnderWay,
  type SweepState,
} from '../sweep/machine.ts';
import type { PlacedSweep } from '../sweep/sweep-plan.ts';

/** A line that says how far a sweep is; without a terminal a line for each run that ends. */
export interface SweepBar {
  looked(state: SweepState, jobs: readonly JobRecord[]): void;
  /** A line above the bar. */
  say(line: string): void;
  stop(): void;
}

const BAR_COLUMNS = 16;
const OPEN: ReadonlySet<Outcome> = new Set(['waiting', 'running', 'paused']);

export function createSweepBar(sweep: PlacedSweep): SweepBar {
  return process.stderr.isTTY ? liveBar(sweep) : lines(sweep);
}

function liveBar(sweep: PlacedSweep): SweepBar {
  const { schedule, file } = sweep;
  const format = `{bar} {value} of {total} runs ended  ${file.metric} {best}  {under} under way`;
  const bar = new SingleBar(
    { format, hideCursor: true, barsize: BAR_COLUMNS, linewrap: false, stopOnComplete: false },
    Presets.shades_classic,
  );
  const shown = { best: '…', under: 0 };
  bar.start(schedule.runs, 0, shown);
  return {
    looked(state, jobs) {
      const best = bestValue(sweep, state);
      if (best !== null) shown.best = shortNumber(best);
      shown.under = jobs.length;
      bar.update(endedRuns(sweep, state), shown);
    },
    say(line) {
      process.stderr.write(`\r\u001B[K${line}\n`);
    },
    stop: () => bar.stop(),
  };
}

function lines(sweep: PlacedSweep): SweepBar {
  const said = new Set<string>();
  return {
    looked(state) {
      for (const [run, parts] of state.runs.entries()) {
        for (const [rung, { ended }] of parts.entries()) {
          if (!ended || said.has(`${run}.${rung}`)) continue;
          said.add(`${run}.${rung}`);
          const value = ended.value === null ? '-' : shortNumber(ended.value);
          const place = sweep.schedule.rungs > 1 ? `, rung ${rung + 1}` : '';
          const why = ended.reason === '' ? '' : `: ${ended.reason}`;
          console.error(
            `run ${run + 1} of ${sweep.schedule.runs}${place} ${ended.status}, ${sweep.file.metric} ${value}${why}`,
          );
        }
      }
    },
    say: (line) => console.error(line),
    stop: () => undefined,
  };
}

/** Runs that will not go on, as far as is known. */
const endedRuns = ({ schedule }: PlacedSweep, state: SweepState): number =>
  state.runs.filter((_, run) => !OPEN.has(outcomeOf(state, run, schedule))).length;

function bestValue({ schedule }: PlacedSweep, state: SweepState): number | null {
  const best = bestRun(state, schedule);
  return best === undefined ? null : (lastSuccess(state, best)?.value ?? null);
}

/** Such as `3 jobs`. */
export const jobsUnderWay = (state: SweepState): string => {
  const { length } = partsUnderWay(state);
  return length === 1 ? '1 job' : `${length} jobs`;
};
