import type { Condition } from '../../contract/alert-condition.ts';
import type { NewRule, RuleInput, RuleRecord } from '../../contract/alert-rule.ts';

/** A rule as it is kept: its condition as data only. */
export type Rule = Omit<
  RuleRecord,
  'expr' | 'state' | 'alerts' | 'last_evaluated_at' | 'last_error'
>;

/** What a client sent, with `expr` read into a condition. */
export type RuleDefinition = Omit<RuleInput, 'expr' | 'condition'> & {
  readonly condition: Condition;
};
export type NewRuleDefinition = RuleDefinition & Pick<NewRule, 'id'>;
