import type { NewRule, RuleInput, RuleRecord, RuleState } from './contract/alert-rule.ts';
import type { AlertRecord } from './alert-machine.ts';
import { promqlOf, type RuleExpression } from './condition-promql.ts';
import { ulid } from '../http/ulid.ts';

/** A rule as it is stored. */
export type Rule = Omit<
  RuleRecord,
  'condition' | 'expr' | 'state' | 'alerts' | 'last_evaluated_at' | 'last_error'
> &
  RuleExpression;

/** A rule as a client defines it, with `expr` parsed. */
export type RuleDefinition = Omit<RuleInput, 'expr' | 'condition'> & RuleExpression;
export type NewRuleDefinition = RuleDefinition & Pick<NewRule, 'id'>;

/** A rule with the error of its last evaluation. */
export interface StoredRule {
  readonly rule: Rule;
  readonly lastError: string | null;
}

/** A rule as the API shows it, with its state. */
export function recordOf(
  { rule, lastError }: StoredRule,
  alerts: readonly AlertRecord[],
  evaluatedAt: number | null,
): RuleRecord {
  const phases = alerts.map(({ phase }) => phase).filter((phase) => phase !== 'resolved');
  const isEvaluated =
    rule.enabled && evaluatedAt !== null && evaluatedAt >= Date.parse(rule.updated_at);
  return {
    ...rule,
    expr: promqlOf(rule),
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

/** The first revision of a rule. */
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

export type RuleResult =
  | { readonly kind: 'done'; readonly rule: RuleRecord }
  | { readonly kind: 'not-found' | 'exists' | 'full' }
  | { readonly kind: 'stale'; readonly revision: number }
  | { readonly kind: 'no-receiver'; readonly missing: readonly string[] };

export type RemoveResult =
  | { readonly kind: 'done' | 'not-found' }
  | { readonly kind: 'stale'; readonly revision: number }
  | { readonly kind: 'in-use'; readonly rules: readonly string[] };

export type AddResult<T> =
  | { readonly kind: 'done'; readonly added: T }
  | { readonly kind: 'exists' | 'full' };

export interface AlertSummary {
  readonly firing: number;
  readonly by_severity: Readonly<Record<string, number>>;
  readonly rules: number;
}

/** The revisions that `If-Match` accepts; undefined for any. */
export type RevisionTest = readonly number[] | undefined;

/** The maximum number of each. */
export const ALERT_LIMITS = { rules: 200, silences: 1000, receivers: 50 } as const;
