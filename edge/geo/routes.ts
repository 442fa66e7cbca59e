import { audit } from '../access/audit.ts';
import type { Env } from '../env.ts';
import { frameOf, streamEvents } from '../events/stream-events.ts';
import { allows, type Caller } from '../http/caller.ts';
import { preconditionOf } from '../http/conditional.ts';
import { pageEnd, readCursor } from '../http/cursor.ts';
import { lastEventId, wantsEvents } from '../http/event-stream.ts';
import { holderOf, namedTeam, teamOf, teamSeen } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import { type CallOf, type ReplyOf, routesOf } from '../http/route.ts';
import { registryOf } from '../registry/registry-stub.ts';
import type { Replica } from './contract/latency.ts';
import { geoEndpoints } from './endpoints.ts';
import {
  changedRecord,
  failover,
  failoverHistory,
  getActiveRegion,
  nodeNotFound,
  regionNotFound,
  setActiveRegion,
  setRegionStatus,
} from './failover-routes.ts';
import { geoOf } from './geo-stub.ts';

type Endpoints = typeof geoEndpoints;
type Handled<K extends keyof Endpoints> = CallOf<Env, Endpoints[K]>;
type Reply<K extends keyof Endpoints> = Promise<ReplyOf<Endpoints[K]>>;

/** /api/geo: regions, their nodes, and the active region. */
export const geoRoutes = routesOf<Env, Endpoints>(geoEndpoints, {
  geoStatus,
  listRegions,
  createRegion,
  getRegion,
  setRegionStatus,
  deleteRegion,
  listNodes,
  createNode,
  deleteNode,
  heartbeat,
  failover,
  failoverHistory,
  latencyMatrix,
  getActiveRegion,
  setActiveRegion,
  replicationGroup,
  geoEvents,
});

async function geoStatus({ env }: Handled<'geoStatus'>): Reply<'geoStatus'> {
  return { status: 200, body: await geoOf(env).status() };
}

async function listRegions({ env }: Handled<'listRegions'>): Reply<'listRegions'> {
  const regions = await geoOf(env).regions();
  return { status: 200, body: { regions: [...regions], total: regions.length } };
}

async function createRegion(call: Handled<'createRegion'>): Reply<'createRegion'> {
  const { env, body, prefix } = call;
  const { region_id: id } = body;
  const result = await geoOf(env).createRegion(body);
  if (result.kind === 'exists') {
    throw new Problem('already_exists', `There is a region ${id} already.`);
  }
  if (result.kind !== 'done') {
    throw new Problem('limit_reached', `${id} would be one region too many.`);
  }
  await audit(call, { action: 'region.create', target: id });
  const headers = { location: `${prefix}/api/geo/regions/${id}`, etag: result.etag };
  return { status: 201, body: result.record, headers };
}

async function getRegion({ env, params }: Handled<'getRegion'>): Reply<'getRegion'> {
  const result = await geoOf(env).region(params.region_id);
  if (result.kind !== 'done') throw regionNotFound(params.region_id);
  return { status: 200, body: result.record, headers: { etag: result.etag } };
}

async function deleteRegion(call: Handled<'deleteRegion'>): Reply<'deleteRegion'> {
  const { env, params, query, request } = call;
  const { region_id: id } = params;
  const isForced = query.force === 'true';
  const result = await geoOf(env).removeRegion(id, isForced, request.headers.get('if-match'));
  switch (result.kind) {
    case 'no-region':
      throw regionNotFound(id);
    case 'changed':
      throw changedRecord(`The region ${id}`, result.etag);
    case 'active':
      throw new Problem('region_active', `${id} is the active region; another has to take over.`);
    case 'not-empty':
      throw new Problem('region_not_empty', `${id} has ${result.nodes} nodes. force=true does it.`);
    case 'done':
      await audit(call, { action: 'region.delete', target: id, detail: { force: isForced } });
      return { status: 200, body: { status: 'deleted', region_id: id } };
  }
}

async function listNodes({ env, query, caller }: Handled<'listNodes'>): Reply<'listNodes'> {
  const { cursor, ...asked } = query;
  // Operators act on regions, and so on the nodes in them, whoever owns these.
  const isOperator = allows(caller, 'geo:admin');
  const chosen = isOperator ? asked : { ...asked, team: namedTeam(caller, asked.team) };
  const { limit: _, ...filters } = chosen;
  const page = await geoOf(env).nodes(chosen, readCursor(cursor, filters));
  const { nodes, total, next } = page;
  return { status: 200, body: { nodes: [...nodes], total, ...pageEnd(next, filters) } };
}

async function createNode(call: Handled<'createNode'>): Reply<'createNode'> {
  const { env, body, caller } = call;
  const result = await geoOf(env).createNode(body, whoseOf(caller));
  switch (result.kind) {
    case 'no-region':
      throw regionNotFound(body.region_id);
    case 'exists':
      throw new Problem('already_exists', `There is a node ${body.node_id} already.`);
    case 'full':
      throw new Problem('limit_reached', `${body.region_id} has as many nodes as it may have.`);
    case 'done':
      await audit(call, {
        action: 'node.create',
        target: body.node_id,
        detail: { region_id: body.region_id },
      });
      return { status: 201, body: result.node };
  }
}

async function deleteNode(call: Handled<'deleteNode'>): Reply<'deleteNode'> {
  const { env, params, query, caller } = call;
  const { node_id: id } = params;
  const { team = teamOf(caller) } = query;
  if (!(await geoOf(env).removeNode(id, team))) throw nodeNotFound(id);
  await audit(call, { action: 'node.delete', target: id, detail: { team } });
  return { status: 200, body: { status: 'deleted', node_id: id } };
}

async function heartbeat(call: Handled<'heartbeat'>): Reply<'heartbeat'> {
  const { env, params, body, caller } = call;
  const { node_id: id } = params;
  const by = { ...whoseOf(caller), isAdmin: allows(caller, 'team:admin') };
  const result = await geoOf(env).heartbeat(id, body, by);
  if (result.kind === 'no-node') throw nodeNotFound(id);
  if (result.kind === 'others') {
    throw new Problem(
      'forbidden',
      `The heartbeats of ${id} come from ${result.sender}: another key may send them once it is silent, or with the scope team:admin.`,
      { members: { missing_scope: 'team:admin', owner: result.sender } },
    );
  }
  if (result.kind === 'done') return { status: 200, body: result.answer };
  const { epoch, active } = result;
  throw new Problem(
    'stale_epoch',
    `${id} acts under epoch ${body.epoch}; it is ${epoch}, in which ${active} is active.`,
    { members: { epoch, active_region: active } },
  );
}

/** The owner and team that brokers report with nodes as well. */
const whoseOf = (caller: Caller) => ({ owner: holderOf(caller), team: teamOf(caller) });

async function latencyMatrix(call: Handled<'latencyMatrix'>): Promise<Response> {
  const { text, etag } = await geoOf(call.env).latencies();
  const headers = { etag, 'content-type': 'application/json' };
  // A read without side effects: If-Match has no meaning for it.
  const asked = new Headers(call.request.headers);
  asked.delete('if-match');
  if (preconditionOf(asked, etag) === 'not-modified') {
    return new Response(null, { status: 304, headers: { etag } });
  }
  return new Response(text, { headers });
}

async function replicationGroup(call: Handled<'replicationGroup'>): Reply<'replicationGroup'> {
  const group = await geoOf(call.env).replicationGroup(call.params.region_id);
  if (!group) throw regionNotFound(call.params.region_id);
  const replicas = await seenReplicas(call, group.replicas);
  return { status: 200, body: { ...group, replicas: [...replicas] } };
}

/** The copies of models that the caller may see. */
async function seenReplicas(
  { env, caller }: Handled<'replicationGroup'>,
  replicas: readonly Replica[],
): Promise<readonly Replica[]> {
  const team = teamSeen(caller);
  if (team === undefined || replicas.length === 0) return replicas;
  const ids = [...new Set(replicas.map(({ model_id: id }) => id))];
  const seen = new Set(await registryOf(env).idsOf(team, ids));
  return replicas.filter(({ model_id: id }) => seen.has(id));
}

type Endpoint = (typeof geoEndpoints)['geoEvents'];

/** GET /api/geo/events: a page of events, or a stream of them. */
async function geoEvents(call: CallOf<Env, Endpoint>): Promise<Response | ReplyOf<Endpoint>> {
  const { env, query, request } = call;
  const after = lastEventId(request.headers) ?? query.after ?? 0;
  const geo = geoOf(env);
  if (!wantsEvents(request.headers)) {
    const { items, total, hasMore } = await geo.events(after, query.limit);
    return { status: 200, body: { events: [...items], total, has_more: hasMore } };
  }
  return streamEvents(call, { frames: '', place: after }, async (place, waitMs) => {
    const { events, seq } = await geo.follow(place, waitMs);
    return { frames: events.map(frameOf).join(''), place: seq };
  });
}
