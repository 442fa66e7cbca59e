import { NewRule, type NewRuleInput } from './contract/alert-rule.ts';
import { definitionOf } from './rule-request.ts';
import type { NewRuleDefinition } from './rule.ts';

/** The rules a new platform starts with; administrators may change and delete them. */
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
    // A failing service should not be reported as slow as well.
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
    // A local installation idles at night: meant to be enabled where traffic is constant.
    enabled: false,
  },
];

/** Rules about regions; edge/geo/ exports their metrics. */
const GEO_RULES: readonly NewRuleInput[] = [
  {
    id: 'failover-without-target',
    name: 'FailoverWithoutTarget',
    expr: 'last_over_time(geo_without_target[2m]) > 0',
    severity: 'critical',
    annotations: {
      summary: 'No region can take over',
      description:
        'The active region is offline and no other one is online with a node to take its requests.',
    },
  },
  {
    id: 'region-offline',
    name: 'RegionOffline',
    expr: 'sum by (region) (last_over_time(geo_region_offline[2m])) > 0',
    severity: 'critical',
    annotations: {
      summary: '{{ $labels.region }} is offline',
      description: 'No node of {{ $labels.region }} gives a sign of life.',
    },
  },
  {
    id: 'geo-monitor-suspect',
    name: 'GeoMonitorSuspect',
    expr: 'last_over_time(geo_monitor_suspect[2m]) > 0',
    severity: 'critical',
    annotations: {
      summary: 'Most regions fail at once',
      description:
        'More than half of the regions failed in one round, so the monitor itself is suspected and nothing is switched.',
    },
  },
];

/** All shipped rules by edition: an existing platform receives each later edition once. */
const EDITIONS: readonly (readonly NewRuleInput[])[] = [SHIPPED, GEO_RULES];

export const EDITION = EDITIONS.length;

/** The shipped rules as they are stored, those after an edition only. */
export const defaultRules = (after = 0): readonly NewRuleDefinition[] =>
  EDITIONS.slice(after)
    .flat()
    .map((shipped) => definitionOf(NewRule.parse(shipped)));
