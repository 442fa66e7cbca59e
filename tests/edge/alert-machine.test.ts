import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AlertState } from '../../edge/alerts/contract/alert.ts';
import {
  advance,
  type AlertChange,
  type AlertRecord,
  type Observation,
  resolveAll,
  stateOf,
  suppress,
  type Timing,
} from '../../edge/alerts/alert-machine.ts';
import { fingerprintOf } from '../../edge/alerts/labels.ts';
import { createSuppression } from '../../edge/alerts/suppression.ts';

const observation = (name: string, value = 1): Observation => {
  const labels = { alertname: name };
  return { fingerprint: fingerprintOf(labels), labels, value };
};
const OBSERVED = observation('A');
const HOLDS = [OBSERVED];

interface Evaluation {
  readonly after: number;
  readonly holds: boolean;
}

/** Evaluations some time apart; 0 is an alarm that fires twice, a long wait one that fires late. */
const evaluations = fc.array(
  fc.record({ after: fc.constantFrom(0, 1, 15_000, 16_000, 600_000), holds: fc.boolean() }),
  { maxLength: 40 },
);
const duration = fc.constantFrom(0, 1, 15_000, 60_000, 300_000);
const timings = fc.record({ forMs: duration, keepFiringForMs: duration });

interface Step {
  readonly now: number;
  readonly holds: boolean;
  readonly changes: readonly AlertChange[];
}

function play(steps: readonly Evaluation[], timing: Timing) {
  let now = 1_000_000;
  let alerts: readonly AlertRecord[] = [];
  const seen: Step[] = [];
  for (const { after, holds } of steps) {
    now += after;
    const { changes, ...next } = advance(alerts, holds ? HOLDS : [], timing, now);
    ({ alerts } = next);
    seen.push({ now, holds, changes });
  }
  return { now, alerts, seen, changes: seen.flatMap(({ changes }) => changes) };
}

/** How long the condition had been as it was found, at each change from one state to another. */
function lastedUntil(seen: readonly Step[], from: AlertState | undefined, to: AlertState) {
  return seen.flatMap(({ now, holds, changes }, at) => {
    const isWanted = changes.some(
      (change) => change.to === to && (from === undefined || change.from === from),
    );
    const before = seen.slice(0, at).findLastIndex((step) => step.holds !== holds);
    const since = seen[before + 1]?.now ?? now;
    return isWanted ? [{ holds, lasted: now - since }] : [];
  });
}

describe('an alert', () => {
  it('never fires before its condition has held for as long as the rule says', () => {
    fc.assert(
      fc.property(evaluations, timings, (steps, timing) => {
        const fired = lastedUntil(play(steps, timing).seen, undefined, 'firing');

        expect(fired.every(({ holds, lasted }) => holds && lasted >= timing.forMs)).toBe(true);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it('fires once its condition has held for long enough', () => {
    fc.assert(
      fc.property(evaluations, timings, (steps, timing) => {
        const { alerts, now } = play([...steps, { after: 1, holds: true }], timing);
        const last = advance(alerts, HOLDS, timing, now + timing.forMs);

        expect(last.alerts[0]?.phase).toBe('firing');
      }),
      { seed: 2 },
    );
  });

  it('always resolves, and not before its condition was clear for as long as the rule says', () => {
    fc.assert(
      fc.property(evaluations, timings, (steps, timing) => {
        const before = play([...steps, { after: 1, holds: false }], timing);
        const after = advance(before.alerts, [], timing, before.now + timing.keepFiringForMs);

        expect(after.alerts.every(({ phase }) => phase === 'resolved')).toBe(true);
        const ended = lastedUntil(before.seen, 'firing', 'resolved');
        const { keepFiringForMs } = timing;
        expect(ended.every(({ holds, lasted }) => !holds && lasted >= keepFiringForMs)).toBe(true);
      }),
      { seed: 3, numRuns: 500 },
    );
  });

  it('stays as it is where an alarm fires twice for one time', () => {
    fc.assert(
      fc.property(evaluations, timings, fc.boolean(), (steps, timing, holds) => {
        const { alerts, now } = play(steps, timing);
        const once = advance(alerts, holds ? HOLDS : [], timing, now);
        const twice = advance(once.alerts, holds ? HOLDS : [], timing, now);

        // With nothing to wait for, an alert fires, resolves and begins in one moment each.
        expect(twice.alerts).toEqual(once.alerts);
        expect(twice.changes).toEqual([]);
      }),
      { seed: 4 },
    );
  });

  it('does not fire earlier because a clock went back', () => {
    const timing = { forMs: 60_000, keepFiringForMs: 0 };
    const begun = advance([], HOLDS, timing, 100_000);
    const back = advance(begun.alerts, HOLDS, timing, 50_000);

    expect(back.alerts[0]).toMatchObject({ phase: 'pending', startsAt: 100_000 });
    expect(advance(back.alerts, HOLDS, timing, 159_999).alerts[0]?.phase).toBe('pending');
    expect(advance(back.alerts, HOLDS, timing, 160_000).alerts[0]?.phase).toBe('firing');
  });

  it('reports every change once, each from the state the one before led to', () => {
    fc.assert(
      fc.property(evaluations, timings, (steps, timing) => {
        let state: string | null = null;
        for (const { from, to } of play(steps, timing).changes) {
          expect(from).toBe(state);
          expect(to).not.toBe(from);
          state = to === 'resolved' ? null : to;
        }
      }),
      { seed: 5 },
    );
  });

  it('ends at once with its rule, whatever it should keep firing for', () => {
    const { alerts } = advance([], HOLDS, { forMs: 0, keepFiringForMs: 0 }, 1000);

    expect(resolveAll(alerts, 2000)).toMatchObject({
      alerts: [{ phase: 'resolved', startsAt: 1000, endsAt: 2000 }],
      changes: [{ from: 'firing', to: 'resolved' }],
    });
  });
});

const essence = ({ phase, startsAt, value }: AlertRecord) => ({ phase, startsAt, value });

describe('a suppressed alert', () => {
  const timing = { forMs: 0, keepFiringForMs: 0 };
  const [firing] = advance([], HOLDS, timing, 1000).alerts;

  it('keeps what it is: it goes on, and it resolves', () => {
    if (!firing) throw new Error('nothing fires');
    const change = suppress(firing, true, 2000);
    expect(change).toMatchObject({ from: 'firing', to: 'suppressed' });
    if (!change) return;

    const later = advance([change.alert], HOLDS, timing, 3000);
    expect(later.alerts.map(stateOf)).toEqual(['suppressed']);
    expect(later.alerts[0]?.startsAt).toBe(1000);
    expect(advance(later.alerts, [], timing, 4000).changes).toMatchObject([
      { from: 'suppressed', to: 'resolved' },
    ]);
    const [still] = later.alerts;
    expect(still && suppress(still, false, 4000)).toMatchObject({
      from: 'suppressed',
      to: 'firing',
    });
  });

  it('goes through the same phases at the same times as one that nobody silences', () => {
    const toggles = fc.array(fc.boolean(), { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(evaluations, timings, toggles, (steps, times, silenced) => {
        let now = 1_000_000;
        let loud: readonly AlertRecord[] = [];
        let quiet: readonly AlertRecord[] = [];
        for (const [i, { after, holds }] of steps.entries()) {
          now += after;
          const observed = holds ? HOLDS : [];
          loud = advance(loud, observed, times, now).alerts;
          quiet = advance(quiet, observed, times, now).alerts.map(
            (alert) => suppress(alert, silenced[i] === true, now)?.alert ?? alert,
          );

          expect(quiet.map(essence)).toEqual(loud.map(essence));
          const isFiring = loud[0]?.phase === 'firing';
          expect(quiet.map(stateOf).includes('suppressed')).toBe(isFiring && silenced[i] === true);
        }
      }),
      { seed: 12 },
    );
  });

  it('is not suppressed while it is pending', () => {
    const [pending] = advance([], HOLDS, { ...timing, forMs: 1 }, 1000).alerts;
    expect(pending && suppress(pending, true, 1000)).toBeUndefined();
  });
});

describe('what suppresses', () => {
  const matcher = (name: string, value: string) => ({ name, op: '=' as const, value });
  const source = (labels: Record<string, string>, inhibits = [] as const) => ({
    fingerprint: fingerprintOf(labels),
    labels,
    inhibits,
  });

  it('is every silence all of whose matchers hold', () => {
    const suppression = createSuppression(
      [
        { id: 'both', matchers: [matcher('a', '1'), matcher('b', '2')] },
        { id: 'one', matchers: [{ name: 'a', op: '=~', value: '1|3' }] },
        { id: 'other', matchers: [matcher('a', '9')] },
      ],
      [],
    );

    expect(suppression(source({ a: '1', b: '2' })).silencedBy).toEqual(['both', 'one']);
    expect(suppression(source({ a: '3' })).silencedBy).toEqual(['one']);
    expect(suppression(source({ b: '2' })).silencedBy).toEqual([]);
  });

  it('is an alert that fires with equal labels, and never the alert itself', () => {
    const inhibits = [{ matchers: [matcher('severity', 'warning')], equal: ['service'] }];
    const critical = { ...source({ severity: 'critical', service: 'a' }), inhibits };
    const both = { ...source({ severity: 'warning', service: 'a', kind: 'both' }), inhibits };
    const suppression = createSuppression([], [critical, both]);
    const inhibitedBy = (labels: Record<string, string>) =>
      suppression({ fingerprint: fingerprintOf(labels), labels }).inhibitedBy;

    expect(inhibitedBy({ severity: 'warning', service: 'a' })).toEqual([critical.fingerprint]);
    expect(inhibitedBy({ severity: 'warning', service: 'b' })).toEqual([]);
    expect(inhibitedBy({ severity: 'info', service: 'a' })).toEqual([]);
    expect(inhibitedBy(both.labels)).toEqual([critical.fingerprint]);
    expect(inhibitedBy(critical.labels)).toEqual([]);
  });
});

describe('a fingerprint', () => {
  const labelSets = fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.string({ maxLength: 8 }));

  it('is the same whatever the order of the labels', () => {
    fc.assert(
      fc.property(labelSets, fc.gen(), (labels, gen) => {
        const entries = Object.entries(labels);
        const shuffled = gen(fc.shuffledSubarray, entries, { minLength: entries.length });

        expect(fingerprintOf(Object.fromEntries(shuffled))).toBe(fingerprintOf(labels));
        expect(fingerprintOf(labels)).toMatch(/^[0-9a-f]{16}$/);
      }),
      { seed: 6 },
    );
  });

  it('distinguishes different labels, and an empty label is none', () => {
    expect(fingerprintOf({ a: 'b' })).not.toBe(fingerprintOf({ b: 'a' }));
    expect(fingerprintOf({ a: 'b,c' })).not.toBe(fingerprintOf({ a: 'b', c: '' }));
    expect(fingerprintOf({ a: 'b', c: '' })).toBe(fingerprintOf({ a: 'b' }));
    // A stored alert is found by this: it must never change.
    expect(fingerprintOf({ alertname: 'A', severity: 'warning' })).toBe('66fa79d858f61a65');
  });
});
