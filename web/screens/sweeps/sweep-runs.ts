import { type JobRecord, TERMINAL } from '../../../edge/training/contract/job.ts';
import {
  fieldOf,
  METRICS,
  metricOf,
  type SweepLabel,
  sweepLabelOf,
} from '../../../edge/training/contract/sweep.ts';
import type { ParallelAxis, ParallelValue } from '../../../engine/pictures.ts';

/** A run of a sweep, from its jobs. */
export interface SweepRun {
  /** From 1. */
  readonly run: number;
  /** The job of its highest rung. */
  readonly job: JobRecord;
  /** From 1. */
  readonly rung: number;
  /** Of all rungs. */
  readonly steps: number;
  /** Of the highest rung that succeeded; null before there is one. */
  readonly value: number | null;
  /** Of the searched fields, in their order. */
  readonly values: readonly ParallelValue[];
}

/** A sweep, as its jobs tell it. */
export interface Sweep extends Omit<SweepLabel, 'run' | 'rung' | 'runs'> {
  /** Of the whole sweep; those that have not begun have no jobs yet. */
  readonly total: number;
  /** The best first. */
  readonly runs: readonly SweepRun[];
  readonly live: number;
  readonly begunAt: string;
}

interface LabelledJob {
  readonly label: SweepLabel;
  readonly job: JobRecord;
}

/** The sweeps among some jobs, the newest first. */
export function sweepsIn(jobs: readonly JobRecord[]): readonly Sweep[] {
  const labelled = jobs.flatMap((job): LabelledJob[] => {
    const label = sweepLabelOf(job);
    return label ? [{ label, job }] : [];
  });
  const sweeps = [...Map.groupBy(labelled, ({ label }) => label.id).values()].map(sweepOf);
  return sweeps.toSorted((a, b) => (a.begunAt < b.begunAt ? 1 : -1));
}

function sweepOf(jobs: readonly LabelledJob[]): Sweep {
  // A group has at least one job.
  const { run: _run, rung: _rung, runs: total, ...label } = (jobs[0] as LabelledJob).label;
  const runs = [...Map.groupBy(jobs, (one) => one.label.run).values()].map(runOf);
  return {
    ...label,
    total,
    runs: runs.toSorted(byValue(METRICS[label.metric])),
    live: jobs.filter(({ job }) => !TERMINAL.has(job.status)).length,
    begunAt: jobs.map(({ job }) => job.created_at).toSorted()[0] ?? '',
  };
}

function runOf(jobs: readonly LabelledJob[]): SweepRun {
  const rungs = jobs.toSorted((a, b) => b.label.rung - a.label.rung);
  const [{ job, label }] = rungs as [LabelledJob, ...LabelledJob[]];
  const good = rungs.find((one) => one.job.status === 'succeeded');
  return {
    run: label.run + 1,
    job,
    rung: label.rung + 1,
    steps: jobs.reduce((sum, one) => sum + one.job.progress.step, 0),
    value: good ? metricOf(good.job, label.metric) : null,
    values: label.search.map((name) => plain(fieldOf(job, name))),
  };
}

function plain(value: unknown): ParallelValue {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return typeof value === 'string' ? value : null;
}

function byValue(goal: 'lowest' | 'highest'): (a: SweepRun, b: SweepRun) => number {
  const sign = goal === 'lowest' ? 1 : -1;
  return (a, b) => {
    if (a.value === null || b.value === null) {
      return Number(a.value === null) - Number(b.value === null) || a.run - b.run;
    }
    return sign * (a.value - b.value) || a.run - b.run;
  };
}

/** An axis for each searched field, and the metric as the last one. */
export const axesOf = ({ search, metric, runs }: Sweep): readonly ParallelAxis[] => [
  ...search.map((name, field) => ({
    name,
    values: runs.map(({ values }) => values[field] ?? null),
  })),
  { name: metric, values: runs.map(({ value }) => value) },
];
