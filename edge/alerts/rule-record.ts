import type { RuleRecord, RuleState } from './contract/alert-rule.ts';
import type { KeptAlert } from './kept-alert.ts';
import { writtenExpr } from './promql.ts';
import type { NewRuleDefinition, Rule, RuleDefinition } from './rule.ts';
import { ulid } from '../http/ulid.ts';
import type { StoredRule } from './rule-store.ts';

/** A rule as it is shown, with how it is doing. */
export function recordOf(
  { rule, lastError }: StoredRule,
  alerts: readonly KeptAlert[],
  evaluatedAt: number | null,
): RuleRecord {
  const phases = alerts.map(({ record }) => record.phase).filter((phase) => phase !== 'resolved');
  const isEvaluated =
    rule.enabled && evaluatedAt !== null && evaluatedAt >= Date.parse(rule.updated_at);
  return {
    ...rule,
    expr: writtenExpr(rule),
    state: stateOf(rule, phases),
    alerts: phases.length,
    last_evaluated_at: isEvaluated ? new Date(evaluatedAt).toISOString() : null,
    last_error: lastError,
  };
}

function stateOf({ enabled }: Rule, phases: readonly string[]): RuleState {
  if (!enabled) return 'disabled';
  if (phases.includes('firing')) return 'firing';
  return phases.includes('pending') ? 'pending' : 'inactive';
}

/** A rule as it is kept for the first time. */
export function newRule({ id, ...definition }: NewRuleDefinition, now: string): Rule {
  return {
    ...definition,
    id: id ?? `rule_${ulid(Date.parse(now))}`,
    revision: 1,
    created_at: now,
    updated_at: now,
  };
}

export const replacedRule = (before: Rule, definition: RuleDefinition, now: string): Rule => ({
  ...definition,
  id: before.id,
  revision: before.revision + 1,
  created_at: before.created_at,
  updated_at: now,
});
