import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AlertList } from '../../edge/alerts/contract/alert.ts';
import { createGeoClient, type GeoClient } from '../../edge/geo/contract/client.ts';
import { eventually } from './eventually.ts';
import { type Edge, postJson, problemOf, startEdge } from './harness.ts';
import { startUpstream, type Upstream } from './upstream.ts';
import { ofNode, ofRegion } from './geo-params.ts';

const stateDir = mkdtempSync(join(tmpdir(), 'spikegrid-geo-'));
const vars = {
  TARGET_ALLOWLIST: ['127.0.0.0/8'],
  ALERTS_INTERVAL_MS: 200,
  METRICS_FLUSH_MS: 50,
  GEO_NODE_MANAGER: { health_check_interval_seconds: 1 },
};

let edge: Edge;
let geo: GeoClient;
beforeAll(async () => {
  edge = await startEdge({ vars, stateDir });
  geo = createGeoClient({ base: edge.gateway.origin });
});
afterAll(async () => {
  await edge[Symbol.asyncDispose]();
  rmSync(stateDir, { recursive: true });
});

/** A node that sends heartbeats until it is silenced, and serves until it is closed. */
async function startNode(nodeId: string, regionId: string) {
  const upstream = await startUpstream((_, response) => response.end(regionId));
  const endpoint = new URL(upstream.url).host;
  await geo.createNode({ body: { node_id: nodeId, region_id: regionId, endpoint } });
  const beat = () => geo.heartbeat({ ...ofNode(nodeId), body: {} }).catch(() => undefined);
  await beat();
  const timer = setInterval(() => void beat(), 500);
  return {
    url: upstream.url,
    silence: () => clearInterval(timer),
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await upstream[Symbol.asyncDispose]();
    },
  };
}

/** A server whose health can be switched off. */
async function startServer(): Promise<Upstream & { isWell: boolean }> {
  const server = { isWell: true };
  const upstream = await startUpstream((_, response) => {
    response.writeHead(server.isWell ? 200 : 503).end('{}');
  });
  return Object.assign(server, upstream);
}

const activeAlerts = async () => {
  const answer = await fetch(new URL('/alerts?severity=critical', edge.monitoring));
  return AlertList.parse(await answer.json()).alerts.map(({ name }) => name);
};

const LONG = { timeout: 120_000 };

describe('a region whose nodes fall silent', () => {
  // Silence takes 7 s, and the platform starts twice.
  it('is replaced, requests go to the next one, and that survives a restart', LONG, async () => {
    await using tokyo = await startNode('tokyo-1', 'ap-northeast-1');
    await using ireland = await startNode('ireland-1', 'eu-west-1');
    const instances = [
      { url: tokyo.url, region_id: 'ap-northeast-1' },
      { url: ireland.url, region_id: 'eu-west-1' },
    ];
    await postJson(new URL('/services/register', edge.gateway), { name: 'cortex', instances });
    const ask = async () => (await fetch(new URL('/cortex/x', edge.gateway))).text();
    expect([await ask(), await ask(), await ask()]).toEqual(Array(3).fill('ap-northeast-1'));

    tokyo.silence();
    const { region_id, epoch } = await eventually(
      () => geo.getActiveRegion(),
      (active) => active.region_id !== 'ap-northeast-1',
    );

    // The others have a lower priority number, but no node.
    expect([region_id, epoch]).toEqual(['eu-west-1', 2]);
    const before = await geo.failoverHistory();
    const [entry] = before.history;
    expect(entry).toMatchObject({
      mode: 'automatic',
      triggered_by: 'geo-monitor',
      reason: expect.stringMatching(/^no node was heard for \d/) as string,
      success: true,
      candidates: [{ region_id: 'eu-west-1', active_nodes: 1 }],
    });
    expect(entry?.excluded).toContainEqual({
      region_id: 'us-east-1',
      why: 'it has no nodes',
    });
    await eventually(ask, (region) => region === 'eu-west-1');
    // Decisions of Tokyo from before it was cut off come too late.
    const write = (acting: number) =>
      fetch(new URL('/cortex/x', edge.gateway), {
        method: 'POST',
        headers: { 'x-spikegrid-epoch': String(acting) },
      });
    expect((await problemOf(await write(1))).code).toBe('stale_epoch');
    expect((await write(2)).status).toBe(200);
    const late = geo.heartbeat({ ...ofNode('tokyo-1'), body: { epoch: 1 } });
    await expect(late).rejects.toMatchObject({
      code: 'stale_epoch',
      problem: { epoch: 2, active_region: 'eu-west-1' },
    });
    const { events } = await geo.geoEvents();
    const told = events.map(({ type, subject, data }) => [
      type,
      subject,
      data['to'] ?? data['to_region'],
    ]);
    expect(told).toContainEqual(['region.status', 'ap-northeast-1', 'offline']);
    expect(told).toContainEqual(['failover.executed', 'ap-northeast-1', 'eu-west-1']);

    await edge[Symbol.asyncDispose]();
    edge = await startEdge({ vars, stateDir });
    geo = createGeoClient({ base: edge.gateway.origin });
    expect(await geo.getActiveRegion()).toMatchObject({ region_id: 'eu-west-1', epoch: 2 });
    expect((await geo.getRegion(ofRegion('ap-northeast-1'))).status).toBe('offline');
    expect(await geo.failoverHistory()).toEqual(before);
    await geo.deleteNode(ofNode('tokyo-1'));
    await geo.deleteNode(ofNode('ireland-1'));
  });
});

describe('a node on an address that may not be probed', () => {
  it('says so, is offline without heartbeats, and leaves its region online without nodes', async () => {
    const region_id = 'sa-east-2';
    await geo.createRegion({ body: { region_id, location: { lat: -23, lon: -46 } } });
    await geo.createNode({ body: { node_id: 'sp-2', region_id, endpoint: '10.1.2.3:8002' } });
    const nodes = () => geo.listNodes({ query: { region_id } });
    expect((await nodes()).nodes).toMatchObject([{ status: 'online', probe: 'not probed' }]);

    await eventually(nodes, ({ nodes: [node] }) => node?.status === 'offline');
    const isOffline = ({ status }: { status: string }) => status === 'offline';
    expect(await eventually(() => geo.getRegion(ofRegion(region_id)), isOffline)).toMatchObject({
      status_reason: expect.stringMatching(/^no node was heard for/) as string,
    });
    await geo.heartbeat({ ...ofNode('sp-2'), body: {} });
    expect((await nodes()).nodes).toMatchObject([{ status: 'online', probe: 'not probed' }]);

    await geo.deleteNode(ofNode('sp-2'));
    expect(await geo.getRegion(ofRegion(region_id))).toMatchObject({
      status: 'online',
      status_reason: 'no nodes',
      node_count: 0,
      health: { checked: false },
    });
    await geo.deleteRegion(ofRegion(region_id));
  });
});

describe('a region whose nodes do not answer', () => {
  it(
    'is offline after all probes of a round; without a target that is recorded and alerted',
    LONG,
    async () => {
      await using server = await startServer();
      const { region_id: active, epoch } = await geo.getActiveRegion();
      const before = (await geo.failoverHistory()).total;
      const endpoint = new URL(server.url).host;
      await geo.createNode({ body: { node_id: 'plain', region_id: active, endpoint } });
      await eventually(
        () => geo.getRegion(ofRegion(active)),
        ({ health }) => health.consecutive_up > 0,
      );

      server.isWell = false;
      const { history } = await eventually(
        () => geo.failoverHistory(),
        ({ total }) => total > before,
      );

      expect(history[0]).toMatchObject({
        from_region: active,
        to_region: null,
        success: false,
        mode: 'automatic',
        epoch,
        reason: 'all 3 probes of a round failed',
        error: 'no region can take over',
      });
      expect(await geo.getActiveRegion()).toMatchObject({ region_id: active, epoch });
      await eventually(activeAlerts, (names) => names.includes('FailoverWithoutTarget'));
      expect(await activeAlerts()).toContain('RegionOffline');
      expect((await geo.listNodes({ query: { status: 'offline' } })).nodes).toMatchObject([
        { node_id: 'plain' },
      ]);
      await geo.deleteNode(ofNode('plain'));
    },
  );
});
