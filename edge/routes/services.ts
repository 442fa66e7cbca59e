import { gatewayEndpoints } from '../contract/gateway-endpoints.ts';
import type { Env } from '../env.ts';
import { recordOf, worstOf } from '../gateway/service-health.ts';
import { knownServices } from '../gateway/service-table.ts';
import { type CallOf, type ReplyOf, routesOf } from '../http/route.ts';

type Endpoints = typeof gatewayEndpoints;
type Handled<K extends keyof Endpoints> = CallOf<Env, Endpoints[K]>;
type Reply<K extends keyof Endpoints> = Promise<ReplyOf<Endpoints[K]>>;

/** /services: what the gateway forwards to, and how it is. */
export const serviceRoutes = routesOf<Env, Endpoints>(gatewayEndpoints, {
  listServices,
  servicesHealth,
});

async function listServices(call: Handled<'listServices'>): Reply<'listServices'> {
  const services = await allRecords(call);
  return {
    status: 200,
    body: { services, total: services.length },
    headers: { 'cache-control': 'no-store' },
  };
}

async function servicesHealth(call: Handled<'servicesHealth'>): Reply<'servicesHealth'> {
  const records = await allRecords(call);
  const body = {
    status: worstOf(records.map(({ status }) => status)),
    services: Object.fromEntries(
      records.map(({ name, status, instances }) => [name, { status, instances }]),
    ),
    checked_at: new Date().toISOString(),
  };
  const failing = call.query.strict === 'true' && body.status === 'critical';
  return { status: failing ? 503 : 200, body, headers: { 'cache-control': 'no-store' } };
}

function allRecords({ env, ctx, trace }: Handled<'listServices' | 'servicesHealth'>) {
  return Promise.all(
    [...knownServices(env, ctx).values()].map((service) => recordOf(service, trace)),
  );
}
