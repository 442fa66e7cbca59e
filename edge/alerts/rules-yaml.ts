import { durationOf, promqlOf } from './condition-promql.ts';
import type { Rule } from './rule.ts';

/**
 * Writes rules as a Prometheus rule file with one group. Every text is double-quoted with JSON's escapes,
 * which YAML 1.2 shares, so that no text is read as another type.
 */
export function rulesYaml(rules: readonly Rule[]): string {
  const enabled = rules.filter((rule) => rule.enabled);
  if (enabled.length === 0) return 'groups: []\n';
  return ['groups:', '  - name: spikegrid', '    rules:', ...enabled.flatMap(linesOf), ''].join(
    '\n',
  );
}

function linesOf(rule: Rule): readonly string[] {
  const { name, for_s, keep_firing_for_s, severity, labels, annotations } = rule;
  return [
    `      - alert: ${scalar(name)}`,
    `        expr: ${scalar(promqlOf(rule))}`,
    ...(for_s > 0 ? [`        for: ${durationOf(for_s)}`] : []),
    ...(keep_firing_for_s > 0 ? [`        keep_firing_for: ${durationOf(keep_firing_for_s)}`] : []),
    ...mapping('labels', { severity, ...escapeAll(labels) }),
    ...mapping('annotations', templatesOf(annotations)),
  ];
}

function mapping(name: string, entries: Readonly<Record<string, string>>): readonly string[] {
  const filled = Object.entries(entries).filter(([, text]) => text !== '');
  if (filled.length === 0) return [];
  return [`        ${name}:`, ...filled.map(([key, text]) => `          ${key}: ${scalar(text)}`)];
}

/** JSON leaves some letters as they are that YAML does not print, such as U+0085 and U+FEFF. */
const scalar = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Our labels are plain text, and Prometheus reads templates in them. */
const escapeAll = (labels: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(labels).map(([name, text]) => [name, text.replaceAll('{{', '{{ "{{" }}')]),
  );

const OURS =
  /^\{\{\s*(?:\$labels\.[a-zA-Z_]\w*|\$value(?:\s*\|\s*(?:humanize|humanizePercentage|humanizeDuration))?)\s*\}\}/;

/** Places we fill in mean the same in Prometheus; other braces are text here and must be there. */
const templatesOf = (annotations: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(annotations).map(([name, text]) => [name, escapeBraces(text)]));

const escapeBraces = (text: string): string =>
  text.replace(/\{\{/g, (braces, at: number) =>
    OURS.test(text.slice(at)) ? braces : '{{ "{{" }}',
  );
