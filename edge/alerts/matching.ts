import type { Matcher } from './contract/alert-matcher.ts';
import { compilePattern } from './contract/alert-regex.ts';

export type LabelSet = Readonly<Record<string, string>>;
export type Matches = (labels: LabelSet) => boolean;

/** Compiles matchers: all must hold. A label that is not there counts as empty. */
export function compileMatchers(matchers: readonly Matcher[]): Matches {
  const tests = matchers.map(compileMatcher);
  return (labels) => tests.every((test) => test(labels));
}

function compileMatcher({ name, op, value }: Matcher): Matches {
  const valueOf = (labels: LabelSet) => (Object.hasOwn(labels, name) ? (labels[name] ?? '') : '');
  if (op === '=') return (labels) => valueOf(labels) === value;
  if (op === '!=') return (labels) => valueOf(labels) !== value;
  const pattern = compilePattern(value);
  const wanted = op === '=~';
  return (labels) => pattern.matches(valueOf(labels)) === wanted;
}

/** Whether two sets agree in labels; one that neither has counts as equal. */
export const agree = (a: LabelSet, b: LabelSet, names: readonly string[]): boolean =>
  names.every((name) => (a[name] ?? '') === (b[name] ?? ''));
