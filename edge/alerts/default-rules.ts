import { NewRule, type NewRuleInput } from './contract/alert-rule.ts';
import { GEO_RULES } from './geo-rules.ts';
import { parseExpr } from './parse-expr.ts';
import type { NewRuleDefinition } from './rule.ts';

/** The rules a platform starts with; whoever runs it may change them and take them away. */
const SHIPPED: readonly NewRuleInput[] = [
  {
    id: 'high-error-rate',
    name: 'HighErrorRate',
    expr: 'sum by (service) (rate(http_requests_total{status="5xx"}[5m])) / sum by (service) (rate(http_requests_total[5m])) > 0.05',
    for_s: 120,
    keep_firing_for_s: 120,
    severity: 'critical',
    annotations: {
      summary: '{{ $labels.service }} fails',
      description:
        '{{ $value | humanizePercentage }} of the requests to {{ $labels.service }} failed with 5xx over the last five minutes.',
    },
    // That a service fails is the news, not how slowly.
    inhibits: [{ matchers: [{ name: 'alertname', value: 'SlowRequests' }], equal: ['service'] }],
  },
  {
    id: 'slow-requests',
    name: 'SlowRequests',
    expr: 'histogram_quantile(0.99, sum by (le, service) (rate(http_request_duration_seconds_bucket[5m]))) > 1',
    for_s: 300,
    keep_firing_for_s: 120,
    severity: 'warning',
    annotations: {
      summary: '{{ $labels.service }} is slow',
      description:
        'One request in a hundred to {{ $labels.service }} took longer than {{ $value | humanizeDuration }} over the last five minutes.',
    },
  },
  {
    id: 'service-unreachable',
    name: 'ServiceUnreachable',
    expr: 'sum by (upstream) (rate(gateway_upstream_requests_total{status="error"}[5m])) / sum by (upstream) (rate(gateway_upstream_requests_total[5m])) > 0.5',
    for_s: 60,
    keep_firing_for_s: 60,
    severity: 'critical',
    annotations: {
      summary: '{{ $labels.upstream }} does not answer',
      description:
        '{{ $value | humanizePercentage }} of the requests the gateway sent to {{ $labels.upstream }} had no answer over the last five minutes.',
    },
  },
  {
    id: 'no-metrics',
    name: 'NoMetrics',
    expr: 'absent_over_time(http_requests_total[15m]) > 0',
    for_s: 60,
    severity: 'warning',
    annotations: {
      summary: 'No service reports metrics',
      description: 'No request was measured for a quarter of an hour.',
    },
    // Nobody asks anything of a machine of one's own at night: switched on where somebody always does.
    enabled: false,
  },
];

/** All that was ever shipped: a platform of before is given the later editions once. */
const EDITIONS: readonly (readonly NewRuleInput[])[] = [SHIPPED, GEO_RULES];

/** How many editions there are. */
export const EDITION = EDITIONS.length;

/** The shipped rules as they are kept, those after an edition only. */
export const defaultRules = (after = 0): readonly NewRuleDefinition[] =>
  EDITIONS.slice(after)
    .flat()
    .map((shipped) => {
      const { expr = '', condition, ...rule } = NewRule.parse(shipped);
      return { ...rule, condition: condition ?? parseExpr(expr) };
    });
