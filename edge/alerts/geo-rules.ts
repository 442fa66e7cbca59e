import type { NewRuleInput } from './contract/alert-rule.ts';

/** What is wrong with regions: see geo/gauges.ts for the figures. */
export const GEO_RULES: readonly NewRuleInput[] = [
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
