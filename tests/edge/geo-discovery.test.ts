import { connect } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_NAMESPACE } from '../../edge/discovery/endpoints.ts';
import { joinBrain } from '../../edge/discovery/contract/brain-node.ts';
import { mqttLine } from '../../edge/discovery/contract/message-line.ts';
import { brokerUrl, nodeOptions } from '../../edge/discovery/contract/node-connection.ts';
import { createGeoClient, type GeoClient } from '../../edge/geo/contract/client.ts';
import { eventually } from './eventually.ts';
import { type Edge, startEdge } from './harness.ts';
import { ofRegion } from './geo-params.ts';

let edge: Edge;
let geo: GeoClient;
beforeAll(async () => {
  const config = { health_check_interval_seconds: 1 };
  edge = await startEdge({ vars: { TARGET_ALLOWLIST: ['127.0.0.0/8'], GEO_NODE_MANAGER: config } });
  geo = createGeoClient({ base: edge.gateway.origin });
});
afterAll(() => edge[Symbol.asyncDispose]());

/** A brain node as programs start it, on a line of its own. */
function join(nodeId: string, region: string) {
  const where = { gateway: edge.gateway, namespace: DEFAULT_NAMESPACE, region };
  const client = connect(brokerUrl(where), nodeOptions(nodeId));
  joinBrain({
    line: mqttLine(client),
    node: { nodeId, moduleType: 'lang-main', host: '127.0.0.1:1' },
    usage: () => ({ cpu_percent: 25 }),
  });
  return client;
}

/** Without a word: the broker publishes its will. */
function kill(client: ReturnType<typeof join>): void {
  client.stream.destroy();
  client.end(true);
}

describe('brain nodes that announce themselves over MQTT', () => {
  it(
    'hold their region while seven of ten are heard, and another takes over after the last one',
    { timeout: 90_000 },
    async () => {
      const tokyo = Array.from({ length: 10 }, (_, i) => join(`lang-${i}`, 'ap-northeast-1'));
      const virginia = join('lang-virginia', 'us-east-1');
      await eventually(
        () => geo.listNodes({ query: { status: 'online' } }),
        ({ total }) => total === 11,
      );
      const { nodes } = await geo.listNodes({ query: { region_id: 'us-east-1' } });
      expect(nodes).toMatchObject([
        { node_id: 'lang-virginia', endpoint: '127.0.0.1:1', probe: 'not probed' },
      ]);

      // A round a second, so that in turn or at random three dead ones are drawn together.
      tokyo.slice(4, 7).forEach(kill);
      const killedAt = Date.now();
      const held = await eventually(
        () => geo.getRegion(ofRegion('ap-northeast-1')),
        ({ health }) => Date.parse(health.last_check_at ?? '') > killedAt + 12_000,
      );
      expect(held).toMatchObject({ active: true, node_count: 10, active_node_count: 7 });
      const { events } = await geo.geoEvents();
      expect(events.filter(({ data }) => data['to'] === 'offline')).toEqual([]);
      expect((await geo.failoverHistory()).total).toBe(0);

      tokyo.forEach(kill);
      const lastHeardAt = Date.now();
      const active = await eventually(
        () => geo.getActiveRegion(),
        ({ region_id }) => region_id !== 'ap-northeast-1',
      );

      expect(active).toMatchObject({ region_id: 'us-east-1', epoch: 2 });
      const [entry] = (await geo.failoverHistory()).history;
      expect(entry).toMatchObject({ mode: 'automatic', success: true });
      expect(Date.parse(entry?.timestamp ?? '') - lastHeardAt).toBeLessThan(8_000);
      await virginia.endAsync(true);
    },
  );
});
