import type { Condition } from './contract/alert-condition.ts';
import { Problem } from '../http/problem.ts';
import type { RuleResult } from './results.ts';
import { typeOf } from '../promql/ast.ts';
import { PromqlError } from '../promql/limits.ts';
import { parsePromql } from '../promql/parse.ts';
import { parseExpr } from './parse-expr.ts';
import type { Asked } from './rule.ts';

interface Written {
  readonly condition?: Condition | undefined;
  readonly expr?: string | undefined;
}

/** What a client wrote, its condition as data where it can be that. @throws Problem validation_failed */
export function definitionOf<T extends Written>(written: T): Omit<T, 'expr' | 'condition'> & Asked {
  const { condition, expr = '', ...rest } = written;
  return { ...rest, ...(condition ? { condition } : readExpr(expr)) };
}

function readExpr(expr: string): Asked {
  try {
    return { condition: parseExpr(expr) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  try {
    const read = parsePromql(expr);
    if (typeOf(read) === 'vector') return { condition: null, expr };
    throw new PromqlError('a condition gives series, got a number or a range', read.at);
  } catch (error) {
    const detail = error instanceof PromqlError ? error.message : String(error);
    throw invalid('/expr', detail);
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
  new Problem('limit_reached', `There are ${most} ${what}, which is as many as there may be.`);

/** Why a rule was not written. */
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
