/** How a sweep is cut into jobs. */
export interface Schedule {
  readonly runs: number;
  /** Rungs from the bottom up; grids and random search have one. */
  readonly rungs: number;
  /** Of the runs that ended a rung, one in so many goes on. */
  readonly eta: number;
  /** Jobs under way at a time. */
  readonly parallel: number;
  readonly goal: 'lowest' | 'highest';
}

/** One job of a sweep: a run on a rung. */
export interface Part {
  readonly run: number;
  readonly rung: number;
}

/** A line of a sweep's journal. */
export type Entry =
  /** A job will be submitted: noted before, so that a driver that was killed in between finds it again. */
  | (Part & { readonly kind: 'begun' })
  | (Part & { readonly kind: 'submitted'; readonly job: string })
  | (Part & Ended & { readonly kind: 'ended' })
  | { readonly kind: 'registered'; readonly model_id: string; readonly version: string };

/** How a job ended. */
export interface Ended {
  readonly status: 'succeeded' | 'failed' | 'cancelled';
  /** Of the sweep's metric; null where the job has none. */
  readonly value: number | null;
  readonly step: number;
  readonly model: { readonly model_id: string; readonly version: string } | null;
  readonly reason: string;
}

interface PartState {
  readonly job: string | null;
  readonly ended: Ended | null;
}

/** The state that the lines of a journal make. */
export interface SweepState {
  /** Of each run that has begun, its rungs from the bottom up. */
  readonly runs: readonly (readonly PartState[])[];
  readonly registered: { readonly model_id: string; readonly version: string } | null;
}

export const NOTHING: SweepState = { runs: [], registered: null };

/**
 *   (none) --begun--> begun --submitted--> submitted --ended--> ended
 *
 * of each run and rung. A run begins a rung once it has succeeded on the one before. An entry that does not
 * follow is ignored: a job ends once, whoever reports it.
 */
export function applied(state: SweepState, entry: Entry): SweepState {
  if (entry.kind === 'registered') {
    const { model_id, version } = entry;
    return state.registered ? state : { ...state, registered: { model_id, version } };
  }
  const { run, rung } = entry;
  const parts = state.runs[run] ?? [];
  const before = parts[rung];
  const next = partAfter(before, entry);
  const isNext = rung === parts.length && run <= state.runs.length;
  if (next === before || (!before && !isNext)) return state;
  return { ...state, runs: replaced(state.runs, run, replaced(parts, rung, next)) };
}

/** A part that has ended stays as it is. */
function partAfter(
  before: PartState | undefined,
  entry: Exclude<Entry, { readonly kind: 'registered' }>,
): PartState | undefined {
  if (entry.kind === 'begun') return before ?? { job: null, ended: null };
  if (!before || before.ended) return before;
  if (entry.kind === 'submitted')
    return before.job === null ? { ...before, job: entry.job } : before;
  const { kind: _kind, run: _run, rung: _rung, ...ended } = entry;
  return { ...before, ended };
}

function replaced<T>(items: readonly T[], place: number, item: T | undefined): readonly T[] {
  if (item === undefined) return items;
  return place < items.length ? items.with(place, item) : [...items, item];
}

/** Jobs that have begun and not ended. */
export function partsUnderWay({ runs }: SweepState): readonly (Part & { job: string | null })[] {
  return runs.flatMap((parts, run) =>
    parts.flatMap(({ job, ended }, rung) => (ended ? [] : [{ run, rung, job }])),
  );
}

/**
 * The job that is to begin next: the best of the highest rung that may go on, else a new run. Undefined while
 * there is none, which is the end once nothing is under way.
 */
export function nextPart(state: SweepState, schedule: Schedule): Part | undefined {
  if (partsUnderWay(state).length >= schedule.parallel) return undefined;
  for (let rung = schedule.rungs - 2; rung >= 0; rung--) {
    const run = promotable(state, rung, schedule);
    if (run !== undefined) return { run, rung: rung + 1 };
  }
  const run = state.runs.length;
  return run < schedule.runs ? { run, rung: 0 } : undefined;
}

/** The best run of a rung that is among the top of those that ended it, and has not gone on yet (ASHA). */
function promotable(state: SweepState, rung: number, schedule: Schedule): number | undefined {
  const ended = state.runs.filter((parts) => parts[rung]?.ended).length;
  const places = Math.floor(ended / schedule.eta);
  const top = ranked(state, rung, schedule.goal).slice(0, places);
  return top.find((run) => state.runs[run]?.[rung + 1] === undefined);
}

/** The runs that succeeded on a rung, the best first; of equals the earlier one. */
export function ranked({ runs }: SweepState, rung: number, goal: Schedule['goal']): number[] {
  const sign = goal === 'lowest' ? 1 : -1;
  const valued = runs.flatMap((parts, run) => {
    const ended = parts[rung]?.ended;
    const value = ended?.status === 'succeeded' ? ended.value : null;
    return value !== null && Number.isFinite(value) ? [{ run, value }] : [];
  });
  return valued
    .toSorted((a, b) => sign * (a.value - b.value) || a.run - b.run)
    .map(({ run }) => run);
}

/** Whether every run has ended. */
export const isOver = (state: SweepState, schedule: Schedule): boolean =>
  partsUnderWay(state).length === 0 && nextPart(state, schedule) === undefined;

/** How a run stands: `stopped` did not go on to the next rung, `finished` has ended the last one. */
export type Outcome =
  | 'waiting'
  | 'running'
  | 'paused'
  | 'stopped'
  | 'finished'
  | 'failed'
  | 'cancelled';

export function outcomeOf(state: SweepState, run: number, schedule: Schedule): Outcome {
  const parts = state.runs[run];
  const last = parts?.at(-1);
  if (!parts || !last) return 'waiting';
  if (!last.ended) return 'running';
  if (last.ended.status !== 'succeeded') return last.ended.status;
  if (parts.length === schedule.rungs) return 'finished';
  return isOver(state, schedule) ? 'stopped' : 'paused';
}

/** The last rung that a run succeeded on. */
export function lastSuccess(
  { runs }: SweepState,
  run: number,
): (Ended & { readonly rung: number; readonly job: string | null }) | undefined {
  const parts = runs[run] ?? [];
  const rung = parts.findLastIndex(({ ended }) => ended?.status === 'succeeded');
  const part = parts[rung];
  return part?.ended ? { ...part.ended, rung, job: part.job } : undefined;
}

/** The run whose last success has the best value; undefined while none has one. */
export function bestRun(state: SweepState, { goal }: Pick<Schedule, 'goal'>): number | undefined {
  const sign = goal === 'lowest' ? 1 : -1;
  const valued = state.runs.flatMap((_, run) => {
    const value = lastSuccess(state, run)?.value ?? null;
    return value !== null && Number.isFinite(value) ? [{ run, value }] : [];
  });
  return valued.toSorted((a, b) => sign * (a.value - b.value) || a.run - b.run)[0]?.run;
}
