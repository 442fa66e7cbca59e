import * as z from 'zod/mini';
import { compilePattern } from './alert-regex.ts';
import { LabelName } from '../../monitoring/contract/metrics.ts';

/** Labels of an alert or a series. */
export const Labels = z.record(LabelName, z.string().check(z.maxLength(1024)));
export type Labels = z.infer<typeof Labels>;

export const MatchOp = z.enum(['=', '!=', '=~', '!~']);
export type MatchOp = z.infer<typeof MatchOp>;

const isPattern = (source: string): boolean => {
  try {
    compilePattern(source);
    return true;
  } catch {
    return false;
  }
};

/** A condition on a label's value, such as `{name: "status", op: "=~", value: "5.."}`. */
export const Matcher = z
  .strictObject({
    name: LabelName,
    op: z.prefault(MatchOp, '='),
    value: z.string().check(z.maxLength(512)),
  })
  .check(
    z.refine(({ op, value }) => op === '=' || op === '!=' || isPattern(value), {
      path: ['value'],
      error: 'expected a regular expression of literals, ., classes, groups, |, *, +, ?, {n,m}',
    }),
  );
export type Matcher = z.output<typeof Matcher>;

export const Matchers = z.array(Matcher).check(z.maxLength(16));

/** A matcher as a query writes it. */
export const WRITTEN_MATCHER =
  /^\s*([a-zA-Z_]\w*)\s*(=~|!~|!=|=)\s*(?:"((?:[^"\\]|\\.)*)"|([^\s"]*))\s*$/;

/** Reads a matcher as people write it: `name="value"`, `name=~"a|b"`; quotes may be left out. */
export function parseMatcher(text: string): Matcher | undefined {
  const [, name, op, quoted, bare] = WRITTEN_MATCHER.exec(text) ?? [];
  const value = quoted === undefined ? bare : quoted.replace(/\\(.)/g, unescape);
  const parsed = Matcher.safeParse({ name, op, value });
  return parsed.success ? parsed.data : undefined;
}

const unescape = (_: string, letter: string) => (letter === 'n' ? '\n' : letter);

/** Writes a matcher as PromQL does. */
export const formatMatcher = ({ name, op, value }: Matcher): string =>
  `${name}${op}${quote(value)}`;

/** A string in PromQL's double quotes. */
export const quote = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
