import { audit } from '../access/audit.ts';
import type { ServiceRecord } from '../contract/service.ts';
import type { Env } from '../env.ts';
import { Problem } from '../http/problem.ts';
import { type CallOf, type ReplyOf, routesOf } from '../http/route.ts';
import { openConnection } from '../outward/connected-stub.ts';
import { gatewayEndpoints } from './endpoints.ts';
import { gatewayOf } from './gateway-stub.ts';
import { worstOf } from './health-machine.ts';
import { definitionOf } from './machine.ts';
import { isWebSocket } from './outgoing-request.ts';
import { allRecords, builtInRecord, recordOf } from './service-records.ts';
import { forgetTable } from './service-table.ts';
import { parseAllowlist } from './target-allowlist.ts';
import { isWorkerService } from './worker-services.ts';
import { reservedBecause } from './upstreams.ts';

type Endpoints = typeof gatewayEndpoints;
type Handled<K extends keyof Endpoints> = CallOf<Env, Endpoints[K]>;
type Reply<K extends keyof Endpoints> = Promise<ReplyOf<Endpoints[K]>>;

/** /services: the services behind the gateway and their health. */
export const serviceRoutes = routesOf<Env, Endpoints>(gatewayEndpoints, {
  listServices,
  servicesHealth,
  registerService,
  connectService,
  getService,
  deleteService,
});

async function listServices(call: Handled<'listServices'>): Reply<'listServices'> {
  const { status, tag } = call.query;
  const services = (await allRecords(call)).filter(
    (service) =>
      (status === undefined || service.status === status) &&
      (tag === undefined || service.tags.includes(tag)),
  );
  return { status: 200, body: { services, total: services.length } };
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
  return { status: failing ? 503 : 200, body };
}

async function registerService(call: Handled<'registerService'>): Reply<'registerService'> {
  const { body, env, prefix, request } = call;
  refuseReserved(body.name, env);
  const definition = definitionOf(body, parseAllowlist(env.TARGET_ALLOWLIST));
  const result = await gatewayOf(env).register(definition, request.headers.get('if-match'));
  if (result.kind === 'precondition-failed') throw changedMeanwhile(body.name);
  if (result.kind === 'full') {
    throw new Problem('storage_full', `${body.name} would be one service too many.`);
  }
  forgetTable();
  if (result.kind !== 'renewed') {
    const action = result.kind === 'created' ? 'service.register' : 'service.update';
    const urls = definition.instances.map(({ url }) => url);
    await audit(call, { action, target: body.name, detail: { urls } });
  }
  const { etag } = result.service;
  return {
    status: result.kind === 'created' ? 201 : 200,
    body: recordOf(result.service),
    headers: { location: `${prefix}/services/${body.name}`, ...(etag !== null && { etag }) },
  };
}

/** Accepts the connection of an instance; the upgrade is handed to the object that holds it. */
async function connectService(call: Handled<'connectService'>): Promise<Response> {
  const { caller, env, query, request } = call;
  if (!isWebSocket(request)) {
    throw new Problem('upgrade_required', 'The request has no Upgrade: websocket.', {
      headers: { upgrade: 'websocket' },
    });
  }
  const { service, instance, version = null, tags: listed } = query;
  refuseReserved(service, env);
  const tags = listed?.split(',') ?? [];
  const answer = await openConnection(env, { caller, service, instance, version, tags });
  forgetTable();
  await audit(call, { action: 'service.connect', target: service, detail: { instance } });
  return answer;
}

async function getService(call: Handled<'getService'>): Reply<'getService'> {
  const { name } = call.params;
  if (isWorkerService(name)) {
    const body: ServiceRecord = await builtInRecord(call, name);
    return { status: 200, body };
  }
  const service = (await gatewayOf(call.env).checkedServices()).find((one) => one.name === name);
  if (!service) throw notFound(name);
  const { etag } = service;
  const headers = etag === null ? {} : { etag };
  return { status: 200, body: recordOf(service), headers };
}

async function deleteService(call: Handled<'deleteService'>): Reply<'deleteService'> {
  const { env, params, request } = call;
  refuseReserved(params.name, env);
  const result = await gatewayOf(env).remove(params.name, request.headers.get('if-match'));
  if (result === 'absent') throw await absent(env, params.name);
  if (result === 'precondition-failed') throw changedMeanwhile(params.name);
  forgetTable();
  await audit(call, { action: 'service.delete', target: params.name });
  return { status: 200, body: { status: 'deleted', name: params.name } };
}

function refuseReserved(name: string, env: Env): void {
  const reason = reservedBecause(name, env.UPSTREAMS);
  if (reason === undefined) return;
  throw new Problem('reserved_name', `${name} is not free to register or remove: ${reason}.`);
}

/** A service that is only connected was never registered. */
async function absent(env: Env, name: string): Promise<Problem> {
  const services = await gatewayOf(env).services();
  if (!services.some((service) => service.name === name)) return notFound(name);
  const why = 'its instances are connected; end them, or revoke their key';
  return new Problem('reserved_name', `${name} is not registered and cannot be removed: ${why}.`);
}

const notFound = (name: string) =>
  new Problem('service_not_found', `There is no service named ${name}.`);

const changedMeanwhile = (name: string) =>
  new Problem('precondition_failed', `The registration of ${name} does not have this ETag.`);
