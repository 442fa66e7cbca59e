import { identify } from '../access/identify.ts';
import { missingScope } from '../http/refusals.ts';
import type { Env } from '../env.ts';
import { SOCKET_CALLER } from '../gateway/socket-quota.ts';
import type { Call } from '../http/call.ts';
import { allows, type Caller } from '../http/caller.ts';
import { namedTeam } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import { routesOf } from '../http/route.ts';
import { noteRoute } from '../http/telemetry.ts';
import { topologyOf, uiExportOf } from './contract/node-views.ts';
import { claimBroker, nodesOf, shardObject } from './discovery-stub.ts';
import { BrokerName, discoveryEndpoints } from './endpoints.ts';
import { SHARD_HEADER } from './store.ts';
import { acceptUnauthenticated } from './unauthenticated-socket.ts';

/** The nodes of a brain, collected from the brokers of its regions. */
export const nodeDiscoveryRoutes = routesOf<Env, typeof discoveryEndpoints>(discoveryEndpoints, {
  nodeHealth: async (call) => ({
    status: 200,
    body: uiExportOf(await nodesFor(call), Date.now()),
  }),
  nodeTopology: async (call) => ({
    status: 200,
    body: topologyOf(await nodesFor(call), Date.now()),
  }),
});

type NodesCall = Pick<Call<Env>, 'env' | 'caller'> & {
  readonly query: { readonly namespace: string } & Readonly<
    Partial<Record<'region' | 'team', string | undefined>>
  >;
};

const nodesFor = ({ env, caller, query: { namespace, region, team } }: NodesCall) =>
  nodesOf(env, { team: namedTeam(caller, team), namespace }, region);

/** A caller with none of these scopes may neither publish nor subscribe: no object is created. */
const MAY_ENTER = ['infer', 'discovery:read', 'geo:node'] as const;

const PATH = /^\/mqtt\/([^/]+)\/([^/]+)$/;

/**
 * Opens a WebSocket to the broker `/mqtt/{namespace}/{region}` of the caller's team, or of
 * `?team=` for administrators; undefined for another path. A client without credentials can send
 * them in CONNECT, as plain MQTT programs do.
 *
 * @throws Problem invalid_parameter where it is no MQTT WebSocket, forbidden, and what `identify`
 * throws
 */
export async function mqttSocket(call: Call<Env>): Promise<Response | undefined> {
  const { request, url, env } = call;
  const [, namespace, region] = PATH.exec(url.pathname) ?? [];
  if (namespace === undefined || region === undefined) return undefined;
  noteRoute(request, '/mqtt/:namespace/:region');
  for (const name of [namespace, region]) checkName(name);
  checkUpgrade(request.headers);
  const asked = url.searchParams.get('team') ?? undefined;
  const openBroker = async (caller: Caller) => {
    if (!MAY_ENTER.some((scope) => allows(caller, scope))) throw missingScope('infer');
    const shard = { team: namedTeam(caller, asked), namespace, region };
    await claimBroker(env, shard, caller);
    const headers = new Headers(request.headers);
    headers.set(SOCKET_CALLER, encodeURIComponent(JSON.stringify(caller)));
    headers.set(SHARD_HEADER, [shard.team, namespace, region].join('/'));
    return shardObject(env, shard).fetch(url.href, { headers });
  };
  const caller = await identify(call);
  return caller.kind === 'anonymous' ? acceptUnauthenticated(call, openBroker) : openBroker(caller);
}

function checkName(name: string): void {
  if (BrokerName.safeParse(name).success) return;
  throw new Problem(
    'invalid_parameter',
    `${JSON.stringify(name.slice(0, 100))} names no brain and no region: expected lower-case letters, digits and hyphens.`,
  );
}

/** MQTT-6.0.0-3: the subprotocol has to be offered. */
function checkUpgrade(headers: Headers): void {
  const isSocket = headers.get('upgrade')?.toLowerCase() === 'websocket';
  const offered = (headers.get('sec-websocket-protocol') ?? '').split(',');
  if (isSocket && offered.some((name) => name.trim() === 'mqtt')) return;
  throw new Problem(
    'invalid_parameter',
    'Here is a broker: expected a WebSocket with the subprotocol mqtt.',
  );
}
