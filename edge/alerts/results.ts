import type { RuleRecord } from './contract/alert-rule.ts';

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

/** The revisions a client takes a rule to have; any where it does not say. */
export type RevisionTest = readonly number[] | undefined;
