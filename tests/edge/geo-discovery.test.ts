import { connect } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinBrain } from '../../edge/contract/discovery/brain-node.ts';
import { mqttLine } from '../../edge/contract/discovery/message-line.ts';
import { brokerUrl, nodeOptions } from '../../edge/contract/discovery/node-connection.ts';
import { createGeoClient, type GeoClient } from '../../edge/contract/geo-client.ts';
import { eventually } from './eventually.ts';
import { type Edge, startEdge } from './harness.ts';

let edge: Edge;
let geo: GeoClient;
beforeAll(async () => {
  edge = await startEdge();
  geo = createGeoClient({ base: edge.gateway.origin });
});
afterAll(() => edge[Symbol.asyncDispose]());

/** A brain node as programs start it, on a line of its own. */
function join(nodeId: string, region: string) {
  const where = { gateway: edge.gateway, namespace: 'brain', region };
  const client = connect(brokerUrl(where), nodeOptions(nodeId));
  joinBrain({
    line: mqttLine(client),
    node: { nodeId, moduleType: 'lang-main', host: '127.0.0.1:8002' },
    usage: () => ({ cpu_percent: 25 }),
  });
  return client;
}

describe('brain nodes that announce themselves over MQTT', () => {
  it(
    'join their region, and where its last one is cut off another region takes over',
    { timeout: 90_000 },
    async () => {
      const tokyo = join('lang-tokyo', 'ap-northeast-1');
      const virginia = join('lang-virginia', 'us-east-1');
      await eventually(
        () => geo.nodes({ status: 'online' }),
        ({ total }) => total === 2,
      );
      const { nodes } = await geo.nodes({ region_id: 'us-east-1' });
      expect(nodes).toMatchObject([{ node_id: 'lang-virginia', endpoint: '127.0.0.1:8002' }]);
      await eventually(
        () => geo.region('ap-northeast-1'),
        ({ health }) => health.checked,
      );

      // Without a word: the broker publishes its will.
      tokyo.stream.destroy();
      tokyo.end(true);
      const active = await eventually(
        () => geo.activeRegion(),
        ({ region_id }) => region_id !== 'ap-northeast-1',
      );

      expect(active).toMatchObject({ region_id: 'us-east-1', epoch: 2 });
      expect((await geo.history()).history[0]).toMatchObject({ mode: 'automatic', success: true });
      await virginia.endAsync(true);
    },
  );
});
