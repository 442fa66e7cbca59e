import { beforeEach, describe, expect, it } from 'vitest';
import { NewRule } from '../../edge/alerts/contract/alert-rule.ts';
import { AlertEvaluation } from '../../edge/alerts/evaluation.ts';
import { newRule } from '../../edge/alerts/rule.ts';
import { definitionOf } from '../../edge/alerts/rule-request.ts';
import { RuleStore } from '../../edge/alerts/rule-store.ts';
import { ALERTS_MIGRATIONS, AlertStateStore } from '../../edge/alerts/state-store.ts';
import { overTen } from './alert-client.ts';
import { openSql } from './sqlite.ts';

const AT = Date.parse('2026-11-20T10:00:00Z');
const time = (seconds: number) => new Date(AT + seconds * 1000).toISOString();

const rule = newRule(definitionOf(NewRule.parse(overTen('queue'))), time(-60));
const observed = {
  kind: 'observed',
  observations: [{ fingerprint: 'a', labels: { alertname: 'queue' }, value: 11 }],
  error: null,
} as const;

let state: AlertStateStore;
let evaluation: AlertEvaluation;
beforeEach(() => {
  const sql = openSql(ALERTS_MIGRATIONS);
  const rules = new RuleStore(sql);
  rules.put(rule);
  state = new AlertStateStore(sql);
  evaluation = new AlertEvaluation(rules, state, { add: () => undefined });
});

/** A silence of everything; seconds after the observation. */
const silence = (from: number, to: number) =>
  state.addSilence({
    id: `from ${from} to ${to}`,
    matchers: [{ name: 'alertname', op: '=', value: 'queue' }],
    ...{ starts_at: time(from), ends_at: time(to), created_at: time(from), updated_at: time(from) },
    ...{ created_by: 'local', comment: '' },
  });
const isSuppressed = () =>
  state.alerts().map(({ record }) => record.phase === 'firing' && record.isSuppressed);

/** Two seconds pass between what is observed and its being applied. */
const apply = () => evaluation.apply([{ rule, observed }], AT, AT + 2000);

describe('an evaluation during which the silences change', () => {
  it('does not lift a silence that has begun', () => {
    silence(1, 60);
    apply();
    expect(isSuppressed()).toEqual([true]);
  });

  it('does not bring back one that has ended', () => {
    silence(-60, 1);
    apply();
    expect(isSuppressed()).toEqual([false]);
    expect(state.transitions({ limit: 10 }, Number.MAX_SAFE_INTEGER).items).toHaveLength(1);
  });
});
