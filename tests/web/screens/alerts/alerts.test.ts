import { describe, expect, it } from 'vitest';
import { NewReceiver } from '../../../../edge/alerts/contract/alert-receiver.ts';
import { NewRule } from '../../../../edge/alerts/contract/alert-rule.ts';
import {
  badMatcherOf,
  piecesOf,
  readDuration,
  readMatchers,
  writeDuration,
  writeMatchers,
} from '../../../../web/screens/alerts/alert-syntax.ts';
import { EMPTY_FORM, problemsOf, ruleOf } from '../../../../web/screens/alerts/rules/rule-form.ts';
import { fc } from '../../seeded.ts';

describe('times', () => {
  it.each([
    ['30s', 30],
    ['5m', 300],
    ['1h30m', 5400],
    ['０', 0],
    ['７ｄ', 604_800],
  ])('reads %s', (written, seconds) => {
    expect(readDuration(written)).toBe(seconds);
  });

  it.each(['', '5', '-1m', '1y', 'm5'])('refuses "%s"', (written) => {
    expect(readDuration(written)).toBeUndefined();
  });

  it('come back as they were', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 604_800 }), (seconds) => {
        expect(readDuration(writeDuration(seconds))).toBe(seconds);
      }),
    );
  });
});

describe('matchers', () => {
  it('keep commas and quotes inside of values', () => {
    const written = 'a="x,y", b=~"1|2", c="say \\"hi\\""';

    expect(piecesOf(written)).toHaveLength(3);
    expect(writeMatchers(readMatchers(written) ?? [])).toBe(written);
  });

  it('name what is none', () => {
    expect(badMatcherOf('a="1", nonsense')).toBe('nonsense');
    expect(readMatchers('nonsense')).toBeUndefined();
  });
});

// The form of a receiver is made from this schema, and submits what it parses.
describe('a receiver', () => {
  const form = { name: 'On call', url: 'https://example.com/hook' };

  it('asks for the events that were chosen, and for none of its own accord', () => {
    const events = ['job.status', 'node.status'];

    expect(NewReceiver.parse({ ...form, send_resolved: false, events })).toMatchObject({
      send_resolved: false,
      events,
    });
    expect(NewReceiver.parse(form)).toMatchObject({ send_resolved: true, events: [] });
  });

  it.each([
    ['without a name', { name: ' ' }],
    ['at no address', { url: 'example.com/hook' }],
    ['at an address of another kind', { url: 'mailto:on@call.example' }],
  ])('is refused %s', (_, entered) => {
    expect(NewReceiver.safeParse({ ...form, ...entered }).success).toBe(false);
  });
});

describe('the form of a rule', () => {
  const form = { ...EMPTY_FORM, name: 'Deep', metric: 'queue_depth', threshold: '１０' };

  it('says what is missing, field by field', () => {
    expect(problemsOf({ ...EMPTY_FORM, pendingFor: 'soon', labels: 'team' })).toEqual({
      name: 'badName',
      metric: 'badMetric',
      threshold: 'badThreshold',
      pendingFor: 'badDuration',
      labels: 'badLabels',
    });
    expect(problemsOf({ ...form, group: 'by' })).toEqual({ by: 'badBy' });
  });

  it('makes rules that the contract takes', () => {
    const forms = [
      form,
      { ...form, group: 'all' as const },
      { ...form, group: 'by' as const, by: 'pool, service', labels: 'team=core' },
      { ...form, agg: 'absent' as const, threshold: '', group: 'all' as const },
      { ...form, mode: 'expr' as const, expr: 'queue_depth > 10', metric: '' },
    ];

    for (const one of forms) {
      expect(problemsOf(one)).toEqual({});
      expect(NewRule.safeParse(ruleOf(one, undefined)).error).toBeUndefined();
    }
    expect(ruleOf(form, undefined)).toMatchObject({ condition: { threshold: 10 } });
  });
});
