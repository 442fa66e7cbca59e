import * as z from 'zod';
import type { ServiceList, ServicesHealth } from '../contract/service.ts';
import type { Env } from '../env.ts';
import { recordOf, worstOf } from '../gateway/service-health.ts';
import { knownServices } from '../gateway/service-table.ts';
import { parseQuery } from '../http/parse.ts';
import type { Call, Route } from '../http/service.ts';

const NoQuery = z.strictObject({});
const HealthQuery = z.strictObject({ strict: z.enum(['true', 'false']).default('false') });

/** /services: what the gateway forwards to, and how it is. */
export const serviceRoutes: readonly Route<Env>[] = [
  { method: 'GET', path: '/services', handle: listServices },
  { method: 'GET', path: '/services/health', handle: checkServices },
];

async function listServices(call: Call<Env>): Promise<Response> {
  parseQuery(NoQuery, call.url);
  const services = await allRecords(call);
  const answer: ServiceList = { services, total: services.length };
  return Response.json(answer, { headers: { 'cache-control': 'no-store' } });
}

async function checkServices(call: Call<Env>): Promise<Response> {
  const { strict } = parseQuery(HealthQuery, call.url);
  const records = await allRecords(call);
  const answer: ServicesHealth = {
    status: worstOf(records.map(({ status }) => status)),
    services: Object.fromEntries(
      records.map(({ name, status, instances }) => [name, { status, instances }]),
    ),
    checked_at: new Date().toISOString(),
  };
  const failing = strict === 'true' && answer.status === 'critical';
  return Response.json(answer, {
    status: failing ? 503 : 200,
    headers: { 'cache-control': 'no-store' },
  });
}

function allRecords({ env, ctx, trace }: Call<Env>) {
  return Promise.all(
    [...knownServices(env, ctx).values()].map((service) => recordOf(service, trace)),
  );
}
