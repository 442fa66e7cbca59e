import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGeoClient, type GeoClient } from '../../edge/geo/contract/client.ts';
import { type Edge, postJson, problemOf, startEdge } from './harness.ts';
import { startUpstream, type Upstream } from './upstream.ts';
import { codeOf, ofNode, ofRegion, openGeoEvents } from './geo-params.ts';

let edge: Edge;
let geo: GeoClient;
let server: Upstream;
beforeAll(async () => {
  edge = await startEdge({ vars: { TARGET_ALLOWLIST: ['127.0.0.0/8'] } });
  geo = createGeoClient({ base: edge.gateway.origin });
  server = await startUpstream((_, response) => response.end('{}'));
});
afterAll(async () => {
  await edge[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const at = (path: string) => new URL(`/api/geo${path}`, edge.gateway);
const put = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(at(path), {
    method: 'PUT',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

describe('regions', () => {
  it('begin as five, of which the one with the lowest priority is active', async () => {
    const status = await geo.geoStatus();

    expect(status).toMatchObject({
      active_region: 'ap-northeast-1',
      epoch: 1,
      total_regions: 5,
      total_nodes: 0,
      online_regions: 5,
      monitor: 'ok',
    });
    expect(status.regions['us-east-1']).toEqual({ status: 'online', node_count: 0, priority: 2 });
    const { regions } = await geo.listRegions();
    expect(regions.map(({ location_hint }) => location_hint)).toEqual([
      'apac',
      'enam',
      'wnam',
      'weur',
      'apac',
    ]);
    expect(regions[0]).toMatchObject({ active: true, status_reason: 'no nodes' });
    expect(regions[0]?.health.checked).toBe(false);
  });

  it('are added, shown under an ETag and taken away, but not with nodes or while active', async () => {
    const added = await postJson(at('/regions'), {
      region_id: 'sa-east-1',
      display_name: 'South America',
      provider: 'aws',
      location: { lat: -23.55, lon: -46.63 },
      priority: 6,
    });
    expect(added.status).toBe(201);
    expect(added.headers.get('location')).toBe('/api/geo/regions/sa-east-1');
    expect(await added.json()).toMatchObject({ status: 'online', latitude: -23.55 });
    await geo.createNode({
      body: { node_id: 'sp-1', region_id: 'sa-east-1', endpoint: '10.0.0.1:80' },
    });

    const again = { region_id: 'sa-east-1', location: { lat: 0, lon: 0 } };
    expect(await codeOf(geo.createRegion({ body: again }))).toBe('already_exists');
    expect(await codeOf(geo.deleteRegion(ofRegion('sa-east-1')))).toBe('region_not_empty');
    expect(
      await codeOf(geo.deleteRegion({ ...ofRegion('ap-northeast-1'), query: { force: 'true' } })),
    ).toBe('region_active');
    expect(await codeOf(geo.getRegion(ofRegion('nowhere')))).toBe('region_not_found');
    expect(await codeOf(geo.deleteRegion(ofRegion('nowhere')))).toBe('region_not_found');
    expect(await codeOf(geo.replicationGroup(ofRegion('nowhere')))).toBe('region_not_found');
    const stale = await fetch(at('/regions/sa-east-1?force=true'), {
      method: 'DELETE',
      headers: { 'if-match': '"0"' },
    });
    expect((await problemOf(stale)).code).toBe('precondition_failed');
    const { region_id } = await geo.deleteRegion({
      ...ofRegion('sa-east-1'),
      query: { force: 'true' },
    });
    expect(region_id).toBe('sa-east-1');
    expect((await geo.listNodes({ query: { region_id: 'sa-east-1' } })).total).toBe(0);
  });

  it('are a hundred at most', async () => {
    const asked = Array.from({ length: 96 }, (_, i) =>
      postJson(at('/regions'), { region_id: `r-${i}`, location: { lat: i % 90, lon: i } }),
    );
    const answers = await Promise.all(asked);

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(95);
    const [refused] = answers.filter(({ status }) => status !== 201);
    expect((await problemOf(refused!)).code).toBe('limit_reached');
    await Promise.all(Array.from({ length: 96 }, (_, i) => fetch(at(`/regions/r-${i}`), DELETE)));
  });

  it('say what is wrong with a body', async () => {
    const answer = await postJson(at('/regions'), {
      region_id: 'Tokyo!',
      location: { lat: 91, lon: 0 },
    });

    const problem = await problemOf(answer);
    expect(problem.status).toBe(422);
    expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(['/region_id', '/location/lat']);
    expect(problem.errors?.[0]?.detail).toContain('"Tokyo!"');
  });
});

const DELETE = { method: 'DELETE' };

describe('nodes', () => {
  it('are registered once, listed by region and status in pages, and deregistered', async () => {
    for (const n of [1, 2, 3]) {
      await geo.createNode({
        body: {
          node_id: `ie-${n}`,
          region_id: 'eu-west-1',
          endpoint: `[2001:db8::${n}]:8002`,
          node_type: 'gpu',
        },
      });
    }

    const first = await geo.listNodes({
      query: { region_id: 'eu-west-1', status: 'online', limit: 2 },
    });
    expect(first.nodes.map(({ node_id }) => node_id)).toEqual(['ie-3', 'ie-2']);
    expect(first).toMatchObject({ total: 3, has_more: true });
    const rest = await geo.listNodes({
      query: {
        region_id: 'eu-west-1',
        status: 'online',
        limit: 2,
        cursor: first.next_cursor ?? '',
      },
    });
    expect(rest.nodes.map(({ node_id }) => node_id)).toEqual(['ie-1']);
    const twice = { node_id: 'ie-1', region_id: 'eu-west-1', endpoint: 'x:1' };
    expect(await codeOf(geo.createNode({ body: twice }))).toBe('already_exists');
    const lost = { node_id: 'x', region_id: 'atlantis', endpoint: 'x:1' };
    expect(await codeOf(geo.createNode({ body: lost }))).toBe('region_not_found');
    expect(await geo.deleteNode(ofNode('ie-3'))).toEqual({ status: 'deleted', node_id: 'ie-3' });
    expect(await codeOf(geo.deleteNode(ofNode('ie-3')))).toBe('node_not_found');
  });

  it('report measurements in heartbeats, and learn of a switch they missed', async () => {
    const beat = await geo.heartbeat({
      ...ofNode('ie-1'),
      body: { round_trips_ms: { 'us-east-1': 80 }, epoch: 1 },
    });
    expect(beat).toMatchObject({ status: 'online', active_region: 'ap-northeast-1', epoch: 1 });
    expect(await codeOf(geo.heartbeat({ ...ofNode('nobody'), body: {} }))).toBe('node_not_found');
    await geo.createNode({
      body: { node_id: 'va-1', region_id: 'us-east-1', endpoint: '10.0.0.9:1' },
    });

    const before = await geo.latencyMatrix();
    await geo.heartbeat({ ...ofNode('va-1'), body: { round_trips_ms: { 'eu-west-1': 84 } } });
    const after = await geo.latencyMatrix();

    expect(before.sources['eu-west-1']?.['us-east-1']).toBe('estimated');
    expect(after.sources['eu-west-1']?.['us-east-1']).toBe('measured');
    // The mean of both round trips, one way.
    expect(after.matrix['us-east-1']?.['eu-west-1']).toBe(41);
    await geo.deleteNode(ofNode('ie-1'));
    await geo.deleteNode(ofNode('ie-2'));
    await geo.deleteNode(ofNode('va-1'));
  });
});

describe('the latency matrix', () => {
  it('has the figures of the platform, and is not sent twice', async () => {
    const answer = await fetch(at('/latency-matrix'));
    const etag = answer.headers.get('etag') ?? '';
    const { matrix } = await geo.latencyMatrix();

    expect(matrix['ap-northeast-1']?.['us-east-1']).toBeCloseTo(145, 0);
    expect(matrix['ap-northeast-1']?.['ap-southeast-1']).toBeCloseTo(32, 1);
    const again = await fetch(at('/latency-matrix'), { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });
});

describe('an operator', () => {
  it('sees a plan with what was excluded and why, and nothing happens', async () => {
    const from_region = 'ap-northeast-1';
    expect(await geo.planFailover({ from_region }), 'nobody has nodes').toMatchObject({
      target: null,
    });
    const endpoint = new URL(server.url).host;
    await geo.createNode({ body: { node_id: 'va-2', region_id: 'us-east-1', endpoint } });
    await geo.createNode({ body: { node_id: 'ie-4', region_id: 'eu-west-1', endpoint } });
    await put('/regions/us-west-2/status', { status: 'maintenance', reason: 'new racks' });

    const plan = await geo.planFailover({ from_region: 'ap-northeast-1' });

    expect(plan).toMatchObject({ target: 'us-east-1', epoch: 2, nodes_affected: 0 });
    expect(plan.excluded).toContainEqual({
      region_id: 'us-west-2',
      why: 'it is maintenance: new racks',
    });
    expect((await geo.geoStatus()).epoch).toBe(1);
    await put('/regions/us-west-2/status', { status: 'online' });
    expect((await geo.geoStatus()).regions['us-west-2']?.status).toBe('online');
  });

  it('has another region take over; of two at once, one is refused', async () => {
    const ask = (to_region: string) =>
      postJson(at('/failover'), {
        from_region: 'ap-northeast-1',
        to_region,
        reason: 'drill',
        triggered_by: 'on-call',
      });

    const answers = await Promise.all([ask('us-east-1'), ask('eu-west-1')]);

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const [refused] = answers.filter(({ status }) => status === 409);
    expect((await problemOf(refused!)).code).toBe('stale_epoch');
    const { history, total } = await geo.failoverHistory();
    expect(total).toBe(1);
    expect(history[0]).toMatchObject({
      from_region: 'ap-northeast-1',
      reason: 'drill',
      triggered_by: 'on-call',
      success: true,
      mode: 'manual',
      epoch: 2,
      error: null,
    });
    expect((await geo.getActiveRegion()).region_id).toBe(history[0]?.to_region);
  });

  it('is refused what does not hold', async () => {
    const { region_id: from_region, epoch } = await geo.getActiveRegion();
    const ask = (more: object) => geo.executeFailover({ from_region, ...more });

    expect(await codeOf(ask({ to_region: from_region }))).toBe('region_active');
    expect(await codeOf(ask({ to_region: 'atlantis' }))).toBe('region_not_found');
    expect(await codeOf(ask({ expected_epoch: epoch + 1 }))).toBe('stale_epoch');
    expect(await codeOf(ask({ from_region: 'us-west-2' }))).toBe('stale_epoch');
    await put('/regions/us-west-2/status', { status: 'maintenance' });
    expect(await codeOf(ask({ to_region: 'us-west-2', force: true }))).toBe('target_not_online');
    await put('/regions/us-west-2/status', { status: 'online' });
  });

  it('sets the active region under its ETag', async () => {
    const answer = await fetch(at('/active-region'));
    const etag = answer.headers.get('etag') ?? '';

    const moved = await put('/active-region', { region_id: 'us-west-2' }, { 'if-match': etag });
    expect(moved.status).toBe(200);
    expect(await moved.json()).toMatchObject({ region_id: 'us-west-2', region: { active: true } });
    const late = await put('/active-region', { region_id: 'eu-west-1' }, { 'if-match': etag });
    expect((await problemOf(late)).code).toBe('precondition_failed');
    const stale = await put('/active-region', { region_id: 'eu-west-1', expected_epoch: 1 });
    expect((await problemOf(stale)).code).toBe('stale_epoch');
    const lost = await put('/active-region', { region_id: 'atlantis' });
    expect((await problemOf(lost)).code).toBe('region_not_found');
    await put('/regions/eu-west-1/status', { status: 'maintenance' });
    const down = await put('/active-region', { region_id: 'eu-west-1' });
    expect((await problemOf(down)).code).toBe('target_not_online');
    await put('/regions/eu-west-1/status', { status: 'online' });
    expect((await put('/active-region', { region_id: 'us-west-2' })).status).toBe(200);
  });

  it('begins the maintenance of the active region after another took over', async () => {
    const before = await geo.getActiveRegion();

    const answer = await put(`/regions/${before.region_id}/status`, { status: 'maintenance' });

    expect(await answer.json()).toMatchObject({ status: 'maintenance', active: false });
    const after = await geo.getActiveRegion();
    expect(after.epoch).toBe(before.epoch + 1);
    const [entry] = (await geo.failoverHistory()).history;
    expect(entry).toMatchObject({ from_region: before.region_id, triggered_by: 'maintenance' });
    const stale = await put(
      `/regions/${before.region_id}/status`,
      { status: 'online' },
      { 'if-match': '"0"' },
    );
    expect((await problemOf(stale)).code).toBe('precondition_failed');
    const lost = await put('/regions/atlantis/status', { status: 'online' });
    expect((await problemOf(lost)).code).toBe('region_not_found');
    await put(`/regions/${before.region_id}/status`, { status: 'online' });
  });

  it('is refused maintenance where no other region could take over, unless by force', async () => {
    const { regions } = await geo.listRegions();
    const active = regions.find((region) => region.active)?.region_id ?? '';
    const others = regions.map(({ region_id }) => region_id).filter((id) => id !== active);
    for (const id of others) await put(`/regions/${id}/status`, { status: 'maintenance' });

    const refused = await put(`/regions/${active}/status`, { status: 'maintenance' });
    expect((await problemOf(refused)).code).toBe('target_not_online');
    expect(await codeOf(geo.executeFailover({ from_region: active }))).toBe('target_not_online');
    const [entry] = (await geo.failoverHistory()).history;
    expect(entry).toMatchObject({ success: false, error: 'no region can take over' });
    const forced = await put(`/regions/${active}/status`, { status: 'maintenance', force: true });
    expect(await forced.json()).toMatchObject({ status: 'maintenance', active: true });

    for (const id of [active, ...others]) await put(`/regions/${id}/status`, { status: 'online' });
  });
});

describe('events', () => {
  it('report every change, as a list and as a stream that resumes after the last one', async () => {
    const { events, total } = await geo.geoEvents({ query: { limit: 1000 } });
    expect(total).toBe(events.length);
    const executed = events.filter(({ type }) => type === 'failover.executed');
    expect(executed[0]).toMatchObject({ subject: 'ap-northeast-1', data: { epoch: 2 } });
    const last = events.at(-1)!;

    await using stream = await openGeoEvents(at('/events'), last.seq - 1);
    expect(await stream.next()).toMatchObject({ id: String(last.seq), event: last.type });
    await put('/regions/us-west-2/status', { status: 'maintenance', reason: 'seen' });
    const pushed = await stream.next();

    expect(JSON.parse(pushed?.data ?? '{}')).toMatchObject({
      type: 'region.status',
      subject: 'us-west-2',
      data: { to: 'maintenance', reason: 'seen' },
    });
    await put('/regions/us-west-2/status', { status: 'online' });
  });

  it('are refused after what is no number', async () => {
    const answer = await fetch(at('/events'), { headers: { 'last-event-id': 'x' } });

    expect((await problemOf(answer)).code).toBe('invalid_parameter');
  });
});
