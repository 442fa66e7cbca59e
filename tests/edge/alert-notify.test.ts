import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Group,
  type GroupPolicy,
  outcomeOf,
  planGroup,
  type Notifiable,
} from '../../edge/alerts/notification-machine.ts';
import { signatureOf } from '../../edge/alerts/notifier.ts';

const policy: GroupPolicy = {
  sendResolved: true,
  waitMs: 10_000,
  intervalMs: 60_000,
  repeatMs: 3_600_000,
};
const a: Notifiable = { key: 'a', phase: 'firing' };
const b: Notifiable = { key: 'b', phase: 'firing' };
const as = (phase: Notifiable['phase'], { key }: Notifiable): Notifiable => ({ key, phase });

function notifiedOnce(alerts: readonly Notifiable[], at = 10_000): Group {
  const { group } = planGroup(undefined, alerts, policy, at - policy.waitMs);
  const plan = planGroup(group, alerts, policy, at);
  if (!plan.group || !plan.notify) throw new Error('not notified');
  return plan.group;
}

describe('a group', () => {
  it('waits for others before the first notification', () => {
    const first = planGroup(undefined, [a], policy, 0);
    expect(first).toMatchObject({ group: { nextAt: 10_000 }, notify: undefined });

    expect(planGroup(first.group, [a, b], policy, 9999).notify).toBeUndefined();
    expect(planGroup(first.group, [a, b], policy, 10_000).notify).toEqual({
      firing: ['a', 'b'],
      resolved: [],
    });
  });

  it('notifies of changes, at most once per interval, and repeats alerts that stay', () => {
    const group = notifiedOnce([a]);

    expect(planGroup(group, [a, b], policy, 69_999).notify).toBeUndefined();
    expect(planGroup(group, [a, b], policy, 70_000).notify).toEqual({
      firing: ['a', 'b'],
      resolved: [],
    });
    expect(planGroup(group, [a], policy, 3_609_999).notify).toBeUndefined();
    expect(planGroup(group, [a], policy, 3_610_000).notify).toEqual({
      firing: ['a'],
      resolved: [],
    });
  });

  it('notifies of the end of alerts it has notified of, and is then forgotten', () => {
    const group = notifiedOnce([a]);
    const over = planGroup(group, [as('resolved', a)], policy, 70_000);

    expect(over.notify).toEqual({ firing: [], resolved: ['a'] });
    expect(planGroup(over.group, [as('resolved', a)], policy, 70_001).group).toBeUndefined();
    const quiet = planGroup(group, [as('resolved', a)], { ...policy, sendResolved: false }, 70_000);
    expect(quiet.notify).toBeUndefined();
  });

  it('sends nothing about an alert that was over before its notification', () => {
    const { group } = planGroup(undefined, [a], policy, 0);
    expect(planGroup(group, [as('resolved', a)], policy, 10_000)).toEqual({
      group: undefined,
      notify: undefined,
    });
  });

  it('sends nothing about a suppressed alert, and its end where its beginning was sent', () => {
    expect(planGroup(undefined, [as('suppressed', a)], policy, 0).group).toBeUndefined();

    const group = notifiedOnce([a]);
    const silenced = planGroup(group, [as('suppressed', a)], policy, 4_000_000);
    expect(silenced.notify).toBeUndefined();
    expect(planGroup(silenced.group, [as('resolved', a)], policy, 4_000_001).notify).toEqual({
      firing: [],
      resolved: ['a'],
    });
  });

  it('notifies of the end of each alert whose beginning it sent, and of no other', () => {
    const phase = fc.constantFrom<Notifiable['phase'] | 'gone'>(
      'firing',
      'suppressed',
      'resolved',
      'gone',
    );
    const step = fc.record({ after: fc.constantFrom(0, 1000, 60_000), a: phase, b: phase });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let group: Group | undefined;
        let now = 0;
        const open = new Set<string>();
        const notify = (alerts: readonly Notifiable[]) => {
          const plan = planGroup(group, alerts, policy, now);
          group = plan.group;
          for (const key of plan.notify?.resolved ?? []) expect(open.delete(key)).toBe(true);
          for (const key of plan.notify?.firing ?? []) open.add(key);
        };
        for (const { after, ...phases } of steps) {
          now += after;
          notify(
            Object.entries(phases).flatMap(([key, found]) =>
              found === 'gone' ? [] : [{ key, phase: found }],
            ),
          );
        }
        now += 60_000;
        notify([]);

        expect([...open]).toEqual([]);
      }),
      { seed: 10 },
    );
  });
});

describe('a delivery', () => {
  it.each([
    [200, 'delivered'],
    [204, 'delivered'],
    [301, 'failed'],
    [400, 'failed'],
    [410, 'failed'],
    [408, 'waiting'],
    [429, 'waiting'],
    [500, 'waiting'],
    [503, 'waiting'],
  ])('answered %i is %s', (status, expected) => {
    expect(outcomeOf({ kind: 'answered', status }, 1, 5000, 0).status).toBe(expected);
  });

  it('waits ever longer between attempts, and gives up in the end', () => {
    const attempt = { kind: 'unreachable', error: 'refused' } as const;
    const waits = Array.from({ length: 10 }, (_, i) => {
      const outcome = outcomeOf(attempt, i + 1, 5000, 1000);
      return outcome.status === 'waiting' ? outcome.nextAt - 1000 : outcome.status;
    });

    expect(waits).toEqual([
      5000,
      10_000,
      20_000,
      40_000,
      80_000,
      160_000,
      320_000,
      600_000,
      600_000,
      'failed',
    ]);
  });

  it('is signed as anybody with the secret can check', () => {
    const mac = createHmac('sha256', 'whsec_é').update('1700000000.{"a":"ü"}').digest('hex');

    expect(signatureOf('whsec_é', '{"a":"ü"}', 1_700_000_000)).toBe(`t=1700000000,v1=${mac}`);
  });
});
