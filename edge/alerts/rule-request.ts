import type { Condition } from './contract/alert-rule.ts';
import { Problem } from '../http/problem.ts';
import type { RuleResult } from './rule.ts';
import { PromqlError } from '../promql/limits.ts';
import { readExpr, type RuleExpression } from './condition-promql.ts';

interface Written {
  readonly condition?: Condition | undefined;
  readonly expr?: string | undefined;
}

/** The definition of a rule from the body of a request. @throws Problem validation_failed */
export function definitionOf<T extends Written>({
  condition,
  expr = '',
  ...rest
}: T): Omit<T, 'expr' | 'condition'> & RuleExpression {
  try {
    return { ...rest, ...(condition ? { condition } : readExpr(expr)) };
  } catch (error) {
    throw error instanceof PromqlError ? invalid('/expr', error.message) : error;
  }
}

/** A refusal of one member of a body. */
export const invalid = (pointer: string, detail: string): Problem =>
  new Problem('validation_failed', `${pointer}: ${detail}`, {
    errors: [{ pointer, code: 'custom', detail }],
  });

export const etagOf = ({ revision }: { readonly revision: number }): string => `"${revision}"`;

/** The revisions If-Match names; undefined where any will do. */
export function revisionsOf(headers: Headers): readonly number[] | undefined {
  const ifMatch = headers.get('if-match')?.trim();
  if (ifMatch === undefined || ifMatch === '*') return undefined;
  return [...ifMatch.matchAll(/(?:^|,)\s*"(\d{1,15})"/g)].map(([, revision]) => Number(revision));
}

export const ruleNotFound = (id: string): Problem =>
  new Problem('rule_not_found', `There is no alert rule ${JSON.stringify(id)}.`);

export const staleRule = (id: string, revision: number): Problem =>
  new Problem(
    'precondition_failed',
    `The rule ${id} is at revision ${revision}, and If-Match names another.`,
    { headers: { etag: etagOf({ revision }) } },
  );

export const full = (what: string, most: number): Problem =>
  new Problem('limit_reached', `There are ${most} ${what}, the maximum.`);

/** The refusal of a rule that was not stored. */
export function ruleRefused(
  result: Exclude<RuleResult, { kind: 'done' }>,
  id: string,
  limit: number,
): Problem {
  switch (result.kind) {
    case 'not-found':
      return ruleNotFound(id);
    case 'exists':
      return new Problem('already_exists', `There is an alert rule ${id} already.`);
    case 'full':
      return full('alert rules', limit);
    case 'stale':
      return staleRule(id, result.revision);
    default:
      return invalid('/receivers', `there is no receiver ${result.missing.join(', ')}`);
  }
}
