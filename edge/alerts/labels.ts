import type { Matcher } from './contract/alert-matcher.ts';
import { compilePattern } from './contract/alert-regex.ts';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

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

/** Whether two label sets agree in the named labels; a label missing in both counts as equal. */
export const agree = (a: LabelSet, b: LabelSet, names: readonly string[]): boolean =>
  names.every((name) => (a[name] ?? '') === (b[name] ?? ''));

/** A hash of labels, whatever their order; an empty label is as good as none. */
export function fingerprintOf(labels: LabelSet): string {
  const sorted = Object.entries(labels)
    .filter(([, value]) => value !== '')
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return bytesToHex(sha256(new TextEncoder().encode(JSON.stringify(sorted)))).slice(0, 16);
}

const PLACE =
  /\{\{\s*(?:\$labels\.([a-zA-Z_]\w*)|(\$value)(?:\s*\|\s*(humanize|humanizePercentage|humanizeDuration))?)\s*\}\}/g;
const MAX_CHARS = 8192;

/**
 * Fills `{{ $labels.x }}` and `{{ $value }}` in. What is filled in is not looked at again, so a
 * label holding `{{ … }}` stays what it is; other places stay as they are.
 */
export function fillTemplate(template: string, labels: LabelSet, value: number): string {
  const filled = template.replace(PLACE, (_, label?: string, _value?: string, form?: string) =>
    label === undefined
      ? formatValue(value, form)
      : Object.hasOwn(labels, label)
        ? (labels[label] ?? '')
        : '',
  );
  return filled.slice(0, MAX_CHARS);
}

const short = (number: number) => String(Number(number.toPrecision(4)));

function formatValue(value: number, form: string | undefined): string {
  switch (form) {
    case 'humanize':
      return short(value);
    case 'humanizePercentage':
      return `${short(value * 100)}%`;
    case 'humanizeDuration':
      return value < 1 ? `${short(value * 1000)}ms` : `${short(value)}s`;
    default:
      return String(value);
  }
}
