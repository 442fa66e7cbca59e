import { samplesOfService } from '../monitoring/service-samples.ts';
import type { Sample } from '../monitoring/sample.ts';
import type { FailoverEntry } from './contract/failover.ts';
import { RegionStatus } from './contract/region.ts';
import type { GeoState } from './state.ts';

const { gauge, counter } = samplesOfService('geo');

/** The metrics of the regions; the shipped alert rules use them. */
export function gaugesOf(state: GeoState, nodes: { total: number; active: number }): Sample[] {
  const regions = [...state.regions.values()];
  const countOf = (status: string) =>
    regions.filter(({ health }) => health.status === status).length;
  return [
    ...RegionStatus.options.map((status) =>
      gauge('geo_regions', 'Regions in each state.', countOf(status), { status }),
    ),
    ...regions.map(({ region, health }) =>
      gauge(
        'geo_region_offline',
        '1 while a region is offline.',
        flag(health.status === 'offline'),
        {
          region: region.region_id,
        },
      ),
    ),
    gauge('geo_nodes', 'Nodes of all regions.', nodes.total, { state: 'registered' }),
    gauge('geo_nodes', 'Nodes of all regions.', nodes.active, { state: 'active' }),
    gauge('geo_epoch', 'How often the active region changed.', state.epoch),
    gauge(
      'geo_without_target',
      '1 while the active region is offline and no other can take over.',
      flag(state.givenUp !== null),
    ),
    gauge(
      'geo_monitor_suspect',
      '1 while more than half of the regions fail at once.',
      flag(state.suspectSince !== null),
    ),
  ];
}

/** Counts one failover. */
export const failoverCount = ({ mode, success }: FailoverEntry): Sample =>
  counter('geo_failovers_total', 'Failovers by how they began and ended.', 1, {
    mode,
    result: success ? 'switched' : 'failed',
  });

const flag = (is: boolean): number => (is ? 1 : 0);
