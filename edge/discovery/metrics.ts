import { DEFAULT_TEAM } from '../contract/team.ts';
import type { Sample } from '../monitoring/sample.ts';
import { DiscoveryStatus, type NodeInfo } from './contract/node.ts';
import type { BrokerCounters } from './mqtt/broker-state.ts';
import type { Shard } from './store.ts';

export interface Measured extends Shard {
  readonly nodes: readonly NodeInfo[];
  /** Connected clients. */
  readonly connected: number;
  /** Counted since the last report. */
  readonly counted: Readonly<BrokerCounters>;
}

/** The metrics of a brain in one region. */
export function samplesOf(measured: Measured): readonly Sample[] {
  const { team, namespace, region, nodes, connected, counted } = measured;
  const labels = { namespace, region, ...(team !== DEFAULT_TEAM && { team }) };
  const countOf = (status: string) => nodes.filter((node) => node.status === status).length;
  return [
    ...DiscoveryStatus.options.map((status) =>
      gauge('discovery_nodes', 'Nodes in each state.', { ...labels, status }, countOf(status)),
    ),
    gauge('mqtt_clients', 'Connected clients of the broker.', labels, connected),
    counter('mqtt_messages_total', 'Messages that were published.', labels, counted.published),
    counter(
      'mqtt_dropped_total',
      'Messages for clients that did not read, or had no room in their queue.',
      labels,
      counted.dropped,
    ),
  ];
}

type Labels = Readonly<Record<string, string>>;

const gauge = (name: string, help: string, labels: Labels, value: number): Sample => ({
  service: 'node-discovery',
  name,
  type: 'gauge',
  unit: null,
  help,
  labels,
  at: undefined,
  value,
  temporality: 'cumulative',
  place: { pointer: '' },
});

const counter = (name: string, help: string, labels: Labels, value: number): Sample => ({
  ...gauge(name, help, labels, value),
  type: 'counter',
  temporality: 'delta',
});
