import { audit } from '../access/audit.ts';
import type { Env } from '../env.ts';
import { Problem } from '../http/problem.ts';
import type { CallOf, ReplyOf } from '../http/route.ts';
import type { FailoverEntry } from './contract/failover.ts';
import type { geoEndpoints } from './endpoints.ts';
import { geoOf } from './geo-stub.ts';
import type { Refused } from './state.ts';

type Endpoints = typeof geoEndpoints;
type Handled<K extends keyof Endpoints> = CallOf<Env, Endpoints[K]>;
type Reply<K extends keyof Endpoints> = Promise<ReplyOf<Endpoints[K]>>;

/** POST /api/geo/failover: executes a failover, or plans one with dry_run=true. */
export async function failover(call: Handled<'failover'>): Reply<'failover'> {
  const { env, body, query } = call;
  const geo = geoOf(env);
  const { from_region: from, to_region: to, force, expected_epoch: expectedEpoch } = body;
  const result =
    query.dry_run === 'true'
      ? await geo.plan({ from, to, force, expectedEpoch })
      : await geo.failOver(body);
  if (result.kind === 'refused') throw refused(result);
  if (result.kind === 'planned') return { status: 200, body: { plan: result.plan } };
  await auditFailover(call, result.event);
  if (!result.event.success) {
    throw new Problem('target_not_online', `${from} stays active: ${result.event.error}.`, {
      members: { event: result.event },
    });
  }
  return { status: 200, body: { status: 'failover_executed', event: result.event } };
}

/** GET /api/geo/failover/history */
export async function failoverHistory(call: Handled<'failoverHistory'>): Reply<'failoverHistory'> {
  const { items, total, hasMore } = await geoOf(call.env).history(call.query.limit);
  return { status: 200, body: { history: [...items], total, has_more: hasMore } };
}

/** GET /api/geo/active-region */
export async function getActiveRegion(call: Handled<'getActiveRegion'>): Reply<'getActiveRegion'> {
  const result = await geoOf(call.env).active();
  if (result?.kind !== 'done') {
    throw new Problem('region_not_found', 'There is no region that could be active.');
  }
  return { status: 200, body: result.record, headers: { etag: result.etag } };
}

/** PUT /api/geo/active-region */
export async function setActiveRegion(call: Handled<'setActiveRegion'>): Reply<'setActiveRegion'> {
  const { env, body, caller, request } = call;
  const by = 'id' in caller ? caller.id : caller.kind;
  const result = await geoOf(env).setActive(body, by, request.headers.get('if-match'));
  if (result.kind === 'refused') throw refused(result);
  if (result.kind === 'changed') throw changedRecord('The active region', result.etag);
  const { record, etag, isSwitched } = result;
  if (isSwitched) {
    const detail = { epoch: record.epoch };
    await audit(call, { action: 'failover.execute', target: record.region_id, detail });
  }
  return { status: 200, body: record, headers: { etag } };
}

/** PUT /api/geo/regions/{region_id}/status */
export async function setRegionStatus(call: Handled<'setRegionStatus'>): Reply<'setRegionStatus'> {
  const { env, body, params, request } = call;
  const { region_id: id } = params;
  const result = await geoOf(env).setStatus(id, body, request.headers.get('if-match'));
  if (result.kind === 'refused') throw refused(result);
  if (result.kind === 'changed') throw changedRecord(`The region ${id}`, result.etag);
  if (result.kind !== 'done') throw regionNotFound(id);
  const detail = { status: body.status, reason: body.reason };
  await audit(call, { action: 'region.status', target: id, detail });
  return { status: 200, body: result.record, headers: { etag: result.etag } };
}

const refused = ({ code, why }: Refused) => new Problem(code, why);

function auditFailover(call: Handled<'failover'>, event: FailoverEntry): Promise<void> {
  const { from_region, to_region, success, epoch } = event;
  return audit(call, {
    action: 'failover.execute',
    target: from_region,
    detail: { to_region, success, epoch },
  });
}

const shown = (id: string): string => JSON.stringify(id.slice(0, 128));

export const regionNotFound = (id: string) =>
  new Problem('region_not_found', `There is no region ${shown(id)}.`);

export const nodeNotFound = (id: string) =>
  new Problem('node_not_found', `There is no node ${shown(id)}.`);

export const changedRecord = (what: string, etag: string) =>
  new Problem(
    'precondition_failed',
    `${what} is not as the request expects: its ETag is ${etag}.`,
    {
      headers: { etag },
    },
  );
