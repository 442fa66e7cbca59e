import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { NewRule, type NewRuleInput } from '../../edge/alerts/contract/alert-rule.ts';
import { defaultRules } from '../../edge/alerts/default-rules.ts';
import { readExpr } from '../../edge/alerts/condition-promql.ts';
import type { Rule } from '../../edge/alerts/rule.ts';
import { rulesYaml } from '../../edge/alerts/rules-yaml.ts';

const NOW = '2026-11-20T10:00:00.000Z';

function ruleOf(input: NewRuleInput): Rule {
  const { condition, expr = '', id = 'rule', ...rest } = NewRule.parse(input);
  const dates = { created_at: NOW, updated_at: NOW };
  return { ...rest, ...dates, id, revision: 1, ...(condition ? { condition } : readExpr(expr)) };
}

interface RuleFile {
  readonly groups: readonly { readonly rules: readonly WrittenRule[] }[];
}
interface WrittenRule {
  readonly alert: string;
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

/** One rule of each kind of condition. */
const everyKind: readonly Rule[] = [
  'up == 0',
  'last_over_time(depth{queue=~"in|out"}[1m30s]) > 1e3',
  'avg by (service) (avg_over_time(load[1h])) >= 0.9',
  'min(min_over_time(free[1d])) < -1',
  'max by (a, b) (max_over_time(x{a!="b\\"c\\\\d"}[5m])) != 4',
  'sum_over_time(x{n!~"5.."}[7s]) <= 3',
  'sum by (s) (increase(e[5m])) / sum by (s) (increase(t[5m])) > 0.05',
  'histogram_quantile(0.99, sum by (le, service) (rate(d_bucket[5m]))) > 1',
  'histogram_quantile(0.5, rate(d_bucket{service="a"}[5m])) > 1',
  'absent_over_time(x{a="b"}[10m]) > 0',
].map((expr, i) =>
  ruleOf({
    ...{ name: `Rule ${i}: "${expr.slice(0, 9)}"`, expr, for_s: i * 45, keep_firing_for_s: i * 30 },
    labels: { note: 'a: b # {{ no template }}' },
    annotations: {
      summary: '{{ $labels.service }} at {{ $value | humanizePercentage }}: {{ not ours }}',
      description: 'Zeile\nzwei – 日本語 "quoted"',
      runbook_url: 'https://runbooks.example/a?b=c#d',
    },
  }),
);

const promtool = await promisify(execFile)('promtool', ['--version']).then(
  () => true,
  () => false,
);

/** The output of promtool for a rule file; fails the test if it refuses the file. */
function checkRules(yaml: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'spikegrid-rules-'));
  try {
    const path = join(folder, 'rules.yaml');
    writeFileSync(path, yaml);
    return execFileSync('promtool', ['check', 'rules', path], { encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

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

  it.skipIf(!promtool)(
    'pass promtool check rules (needs promtool, of the package prometheus)',
    () => {
      const shipped = defaultRules().map((rule) => ({
        ...{ ...rule, id: rule.id ?? '', revision: 1, created_at: NOW, updated_at: NOW },
        enabled: true,
      }));

      expect(checkRules(rulesYaml(everyKind))).toContain(`${everyKind.length} rules found`);
      expect(checkRules(rulesYaml(shipped))).toContain(`${shipped.length} rules found`);
    },
  );
});
