import type { Condition } from './contract/alert-condition.ts';
import type { NewRule, RuleInput, RuleRecord } from './contract/alert-rule.ts';

/** A condition as data; where it can only be written in PromQL it is null, and `expr` is its text. */
export interface Asked {
  readonly condition: Condition | null;
  readonly expr?: string | undefined;
}

/** A rule as it is kept. */
export type Rule = Omit<
  RuleRecord,
  'condition' | 'expr' | 'state' | 'alerts' | 'last_evaluated_at' | 'last_error'
> &
  Asked;

/** What a client sent, with `expr` read. */
export type RuleDefinition = Omit<RuleInput, 'expr' | 'condition'> & Asked;
export type NewRuleDefinition = RuleDefinition & Pick<NewRule, 'id'>;
