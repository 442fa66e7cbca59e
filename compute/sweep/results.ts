import type { Value } from '../../edge/training/contract/sweep-file.ts';
import { shortNumber } from '../runs/chart.ts';
import { aligned } from '../runs/compare.ts';
import { bestRun, lastSuccess, type Outcome, outcomeOf, type SweepState } from './machine.ts';
import type { PlacedSweep } from './sweep-plan.ts';

/** A run of a sweep, as `results.json` has it. */
interface RunResult {
  /** From 1. */
  readonly run: number;
  readonly values: Readonly<Record<string, Value>>;
  readonly outcome: Outcome;
  /** Of the last rung that it succeeded on; null before it has. */
  readonly value: number | null;
  /** Rungs that it succeeded on. */
  readonly rungs: number;
  /** Steps that it has trained. */
  readonly steps: number;
  readonly model: { readonly model_id: string; readonly version: string } | null;
  /** From the first rung up. */
  readonly jobs: readonly (string | null)[];
  /** Why it failed or was cancelled. */
  readonly reason: string;
}

/** A whole sweep. */
export interface SweepResults {
  readonly id: string;
  readonly file: PlacedSweep['file'];
  readonly dataset_path: string | null;
  readonly goal: 'lowest' | 'highest';
  /** The number of the best run; null where none has a value. */
  readonly best: number | null;
  /** The best run in the registry. */
  readonly registered: SweepState['registered'];
  /** The best first. */
  readonly runs: readonly RunResult[];
}

export function resultsOf(sweep: PlacedSweep, state: SweepState): SweepResults {
  const { file, schedule, points, id, datasetPath } = sweep;
  const runs = points.map((values, run): RunResult => ({
    run: run + 1,
    values,
    outcome: outcomeOf(state, run, schedule),
    ...reachedBy(state, run),
  }));
  const best = bestRun(state, schedule);
  return {
    id,
    file,
    dataset_path: datasetPath ?? null,
    goal: schedule.goal,
    best: best === undefined ? null : best + 1,
    registered: state.registered,
    runs: runs.toSorted(byValue(schedule.goal)),
  };
}

function reachedBy(state: SweepState, run: number) {
  const parts = state.runs[run] ?? [];
  const { value = null, rung = -1, model = null } = lastSuccess(state, run) ?? {};
  return {
    value,
    rungs: rung + 1,
    steps: parts.reduce((sum, { ended }) => sum + (ended?.step ?? 0), 0),
    model,
    jobs: parts.map(({ job }) => job),
    reason: parts.at(-1)?.ended?.reason ?? '',
  };
}

/** The best first, and those without a value last. */
function byValue(goal: SweepResults['goal']): (a: RunResult, b: RunResult) => number {
  const worst = goal === 'lowest' ? Infinity : -Infinity;
  const sign = goal === 'lowest' ? 1 : -1;
  return (a, b) => {
    const [x, y] = [a.value ?? worst, b.value ?? worst];
    return x === y ? a.run - b.run : sign * (x - y);
  };
}

/** Head and rows of the table of runs, as texts. */
export function tableOfRuns({ file, runs }: SweepResults): {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
} {
  const names = Object.keys(file.search);
  const rows = runs.map(({ run, values, value, steps, outcome, reason }) => [
    String(run),
    value === null ? '-' : shortNumber(value),
    ...names.map((name) => textOf(values[name])),
    String(steps),
    reason === '' ? outcome : `${outcome}: ${reason}`,
  ]);
  return { head: ['run', file.metric, ...names, 'steps', 'outcome'], rows };
}

const textOf = (value: Value | undefined): string =>
  typeof value === 'number' ? shortNumber(value) : String(value ?? '-');

/** The table for a terminal: the best run has a star. */
export function resultsText(results: SweepResults): string {
  const { head, rows } = tableOfRuns(results);
  const [corner = '', ...names] = head;
  const lines = rows.map(([run = '', ...values]) => ({
    name: run,
    values,
    ...(run === String(results.best) && { best: 0 }),
  }));
  return aligned([{ name: corner, values: names }, ...lines]).join('\n');
}
