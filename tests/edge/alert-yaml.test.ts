import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { rulesYaml } from '../../edge/alerts/rules-yaml.ts';
import { everyKind, ruleOf, shippedRules } from './alert-kinds.ts';
import { parseQuery } from './promql-grammar.ts';

interface RuleFile {
  readonly groups: readonly { readonly rules: readonly WrittenRule[] }[];
}
interface WrittenRule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}
const rulesIn = (yaml: string) => (parse(yaml) as RuleFile).groups.flatMap(({ rules }) => rules);

/** Texts that trip whoever quotes by hand. */
const NASTY = [
  '',
  'yes',
  'null',
  '- a',
  'a: b # c',
  '"',
  "'",
  '\\',
  '|',
  '{}',
  '%',
  '&a',
  '🧠\n\t',
];
const nasty = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ unit: 'binary', maxLength: 20 }).filter((text) => text.isWellFormed()),
);

describe('the rules as a Prometheus file', () => {
  it('say what the rules say', () => {
    const [rule] = rulesIn(
      rulesYaml([
        ruleOf({
          ...{ name: 'Slow', expr: 'rate(x[5m]) > 1', for_s: 90, keep_firing_for_s: 7200 },
          ...{ severity: 'critical', labels: { team: 'core' } },
          annotations: { summary: '{{ $labels.service }} is slow' },
        }),
      ]),
    );

    expect(rule).toEqual({
      ...{ alert: 'Slow', expr: 'rate(x[5m]) > 1', for: '90s', keep_firing_for: '2h' },
      labels: { severity: 'critical', team: 'core' },
      annotations: { summary: '{{ $labels.service }} is slow' },
    });
  });

  it('leave out what is switched off, and are a file even with nothing in it', () => {
    expect(parse(rulesYaml([ruleOf({ name: 'Off', expr: 'x > 1', enabled: false })]))).toEqual({
      groups: [],
    });
  });

  it('read back as they were, whatever the texts hold', () => {
    const name = nasty.map((text) => `n${text}n`);
    fc.assert(
      fc.property(name, nasty, nasty, (alert, label, summary) => {
        const text = label.replaceAll('{{', '');
        const rule = ruleOf({
          ...{ name: alert, expr: 'x > 1', labels: { label: text } },
          annotations: { summary: summary.replaceAll('{{', '') },
        });
        const [read] = rulesIn(rulesYaml([rule]));

        expect(read?.alert).toBe(rule.name);
        expect(read?.labels['label'] ?? '').toBe(text);
        expect(read?.annotations?.['summary'] ?? '').toBe(rule.annotations.summary);
      }),
      { seed: 11, numRuns: 500 },
    );
  });

  it('hold queries by the grammar of Prometheus', () => {
    const written = [...everyKind, ...shippedRules];
    const rules = rulesIn(rulesYaml(written));

    expect(rules).toHaveLength(written.length);
    for (const { expr } of rules) expect(() => parseQuery(expr), expr).not.toThrow();
    expect(() => parseQuery('rate(x[5m) > 1')).toThrow(SyntaxError);
  });
});
