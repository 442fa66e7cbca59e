import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applied,
  bestRun,
  type Entry,
  isOver,
  nextPart,
  NOTHING,
  outcomeOf,
  type Part,
  partsUnderWay,
  ranked,
  type Schedule,
  type SweepState,
} from '../../compute/sweep/machine.ts';

const keyOf = ({ run, rung }: Part) => `${run}.${rung}`;

const schedules = fc.record({
  runs: fc.integer({ min: 1, max: 40 }),
  rungs: fc.integer({ min: 1, max: 4 }),
  eta: fc.integer({ min: 2, max: 4 }),
  parallel: fc.integer({ min: 1, max: 7 }),
  goal: fc.constantFrom('lowest' as const, 'highest' as const),
});

/** How each job ends, by run and rung: a value, NaN for a failure. */
const valuesOf = (seed: number) => (part: Part) => {
  const hash = Math.imul(seed ^ (part.run * 7919 + part.rung * 104_729), 0x9e3779b1) >>> 0;
  return hash % 11 === 0 ? Number.NaN : Math.fround((hash % 1000) / 1000);
};

/** A sweep driven with made-up jobs, which end in the order that `pick` gives. */
function play(
  schedule: Schedule,
  valueOf: (part: Part) => number,
  pick: (count: number) => number,
  from: { readonly state: SweepState } = { state: NOTHING },
) {
  let { state } = from;
  const journal: Entry[] = [];
  const note = (entry: Entry) => {
    journal.push(entry);
    state = applied(state, entry);
  };
  const submit = (part: Part) => note({ kind: 'submitted', ...part, job: `job ${keyOf(part)}` });
  for (const { run, rung, job } of partsUnderWay(state)) {
    if (job === null) submit({ run, rung });
  }
  while (!isOver(state, schedule)) {
    for (let next = nextPart(state, schedule); next; next = nextPart(state, schedule)) {
      note({ kind: 'begun', ...next });
      submit(next);
    }
    const live = partsUnderWay(state);
    expect(live.length).toBeGreaterThan(0);
    expect(live.length).toBeLessThanOrEqual(schedule.parallel);
    const { run, rung } = live[pick(live.length)]!;
    const value = valueOf({ run, rung });
    const isGood = Number.isFinite(value);
    note({
      kind: 'ended',
      run,
      rung,
      status: isGood ? 'succeeded' : 'failed',
      value: isGood ? value : null,
      step: rung + 1,
      model: null,
      reason: isGood ? '' : 'diverged',
    });
  }
  return { state, journal };
}

const first = () => 0;

describe('the schedule of a sweep', () => {
  it('ends every run once, whatever the order in which jobs end', () => {
    fc.assert(
      fc.property(schedules, fc.nat(), fc.infiniteStream(fc.nat()), (schedule, seed, order) => {
        const pick = (count: number) => order.next().value! % count;
        const { state, journal } = play(schedule, valuesOf(seed), pick);

        for (const kind of ['begun', 'submitted', 'ended'] as const) {
          const keys = journal.flatMap((entry) => (entry.kind === kind ? [keyOf(entry)] : []));
          expect(new Set(keys).size).toBe(keys.length);
        }
        const outcomes = Array.from({ length: schedule.runs }, (_, run) =>
          outcomeOf(state, run, schedule),
        );
        expect(outcomes.filter((one) => !/finished|stopped|failed/.test(one))).toEqual([]);
        expect(state.runs).toHaveLength(schedule.runs);
        expect(schedule.rungs === 1 && outcomes.includes('stopped')).toBe(false);
      }),
    );
  });

  it('lets a run go on only from the top 1/eta of those that ended its rung, and after a success', () => {
    fc.assert(
      fc.property(schedules, fc.nat(), fc.infiniteStream(fc.nat()), (schedule, seed, order) => {
        const pick = (count: number) => order.next().value! % count;
        const { journal } = play(schedule, valuesOf(seed), pick);

        const promotions = journal.flatMap((entry, line) =>
          entry.kind === 'begun' && entry.rung > 0 ? [{ ...entry, line }] : [],
        );
        for (const { run, rung, line } of promotions) {
          const state = journal.slice(0, line).reduce(applied, NOTHING);
          const ended = state.runs.filter((parts) => parts[rung - 1]?.ended).length;
          const places = Math.floor(ended / schedule.eta);
          expect(ranked(state, rung - 1, schedule.goal).slice(0, places)).toContain(run);
        }
      }),
    );
  });

  it('promotes all of the top 1/eta of each rung in the end', () => {
    fc.assert(
      fc.property(schedules, fc.nat(), fc.infiniteStream(fc.nat()), (schedule, seed, order) => {
        const pick = (count: number) => order.next().value! % count;
        const { state } = play(schedule, valuesOf(seed), pick);

        for (let rung = 0; rung + 1 < schedule.rungs; rung++) {
          const ended = state.runs.filter((parts) => parts[rung]?.ended).length;
          const top = ranked(state, rung, schedule.goal);
          for (const run of top.slice(0, Math.floor(ended / schedule.eta))) {
            expect(state.runs[run]?.[rung + 1]?.ended).toBeTruthy();
          }
        }
      }),
    );
  });

  it('goes on from any line of its journal to the same end', () => {
    fc.assert(
      fc.property(schedules, fc.nat(), fc.nat(), (schedule, seed, cut) => {
        const whole = play(schedule, valuesOf(seed), first);
        const lines = cut % (whole.journal.length + 1);
        const before = whole.journal.slice(0, lines).reduce(applied, NOTHING);

        const rest = play(schedule, valuesOf(seed), first, { state: before });

        expect(rest.state).toEqual(whole.state);
        expect(rest.journal).toEqual(whole.journal.slice(lines));
      }),
    );
  });

  it('takes no second end, job or beginning of one and the same part', () => {
    const part = { run: 0, rung: 0 };
    const ended = { status: 'succeeded', step: 1, model: null, reason: '' } as const;
    const entries: Entry[] = [
      { kind: 'begun', ...part },
      { kind: 'submitted', ...part, job: 'a' },
      { kind: 'submitted', ...part, job: 'b' },
      { kind: 'ended', ...part, ...ended, value: 1 },
      { kind: 'ended', ...part, ...ended, value: 2 },
      { kind: 'begun', ...part },
      { kind: 'begun', run: 2, rung: 0 },
    ];

    const { runs } = entries.reduce(applied, NOTHING);

    expect(runs).toEqual([[{ job: 'a', ended: { ...ended, value: 1 } }]]);
  });

  it('finds the best run by the value of its last success, the earlier one of equals', () => {
    const schedule = { runs: 3, rungs: 1, eta: 2, parallel: 3, goal: 'lowest' } as const;
    const values = [0.5, 0.25, 0.25];
    const { state } = play(schedule, ({ run }) => values[run]!, first);

    expect(bestRun(state, schedule)).toBe(1);
    expect(bestRun(state, { goal: 'highest' })).toBe(0);
    expect(bestRun(NOTHING, schedule)).toBeUndefined();
  });
});
