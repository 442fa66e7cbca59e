import { NewRule, type NewRuleInput } from '../../edge/alerts/contract/alert-rule.ts';
import { readExpr } from '../../edge/alerts/condition-promql.ts';
import { defaultRules } from '../../edge/alerts/default-rules.ts';
import type { Rule } from '../../edge/alerts/rule.ts';

const NOW = '2026-11-20T10:00:00.000Z';

export function ruleOf(input: NewRuleInput): Rule {
  const { condition, expr = '', id = 'rule', ...rest } = NewRule.parse(input);
  const dates = { created_at: NOW, updated_at: NOW };
  return { ...rest, ...dates, id, revision: 1, ...(condition ? { condition } : readExpr(expr)) };
}

/** One rule of each kind of condition. */
export const everyKind: readonly Rule[] = [
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

/** The rules that a platform begins with, each switched on. */
export const shippedRules: readonly Rule[] = defaultRules().map((rule) => ({
  ...{ ...rule, id: rule.id ?? '', revision: 1, created_at: NOW, updated_at: NOW },
  enabled: true,
}));
