import { DEFAULT_TEAM } from '../contract/team.ts';
import { samplesOfService } from '../monitoring/service-samples.ts';
import type { Sample } from '../monitoring/sample.ts';
import { DiscoveryStatus, type NodeInfo } from './contract/node.ts';
import type { BrokerCounters } from './mqtt/broker-state.ts';
import type { Shard } from './store.ts';

interface Measured extends Shard {
  readonly nodes: readonly NodeInfo[];
  /** Connected clients. */
  readonly connected: number;
  /** Counted since the last report. */
  readonly counted: Readonly<BrokerCounters>;
}

const { gauge, counter } = samplesOfService('node-discovery');

/** The metrics of a brain in one region. */
export function samplesOf(measured: Measured): readonly Sample[] {
  const { team, namespace, region, nodes, connected, counted } = measured;
  const labels = { namespace, region, ...(team !== DEFAULT_TEAM && { team }) };
  const countOf = (status: string) => nodes.filter((node) => node.status === status).length;
  return [
    ...DiscoveryStatus.options.map((status) =>
      gauge('discovery_nodes', 'Nodes in each state.', countOf(status), {
        ...labels,
        status,
      }),
    ),
    gauge('mqtt_clients', 'Connected clients of the broker.', connected, labels),
    counter('mqtt_messages_total', 'Messages that were published.', counted.published, labels),
    counter(
      'mqtt_dropped_total',
      'Messages for clients that did not read, or had no room in their queue.',
      counted.dropped,
      labels,
    ),
  ];
}
