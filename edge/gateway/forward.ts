import { guard, identify } from '../access/identify.ts';
import { isFromHere } from '../http/origin.ts';
import type { IdentityClaims } from '../contract/identity.ts';
import type { Env } from '../env.ts';
import { placeRequest, refuseStaleEpoch, regionOf, regionTable } from '../geo/request-region.ts';
import type { Call } from '../http/call.ts';
import type { Caller } from '../http/caller.ts';
import { Problem } from '../http/problem.ts';
import { type Attempt, attempt, type Sender, sendInside } from './attempt.ts';
import { chooseInstance } from './balancer.ts';
import { fetchAt } from '../outward/connected-stub.ts';
import { entrypointOf, outboundTo } from './upstreams.ts';
import { isEjected, statsOf } from './instance-stats.ts';
import {
  bodyOf,
  type Destination,
  isWebSocket,
  outgoingRequestOf,
  replayOf,
  withoutCredentials,
  withoutTicket,
} from './outgoing-request.ts';
import { identitySigner } from './identity-signer.ts';
import { returnedResponse, refuseActiveUse } from './returned-response.ts';
import type { InstanceState, ServiceState } from './machine.ts';
import { fetchSocket } from './sockets-stub.ts';

/** Forwards a request to a service of this Worker, which authenticates the caller itself. */
export async function forwardInside(
  call: Call<Env>,
  name: string,
  place: Omit<Destination, 'service'> = {},
): Promise<Response> {
  const outgoing = withoutTicket(outgoingRequestOf(call, { service: name, ...place }));
  // A route that led here has authenticated the caller already.
  const caller = call.caller.kind === 'anonymous' ? await identify(call) : call.caller;
  const entrypoint = entrypointOf(call.ctx, name, { caller });
  return returnedResponse(await sendInside(entrypoint, outgoing, bodyOf(call.request)), true);
}

/**
 * Forwards a request to an instance of a service outside of this Worker and returns its response,
 * both bodies streaming. Where the instance is unreachable or unavailable, a repeatable request
 * goes to another one.
 *
 * @throws Problem unauthenticated, loop_detected, no_healthy_instance, upstream_error,
 * upstream_timeout, stale_epoch, forbidden, or rate_limited for one WebSocket too many
 */
export async function forward(
  call: Call<Env>,
  named: ServiceState,
  how: Forwarding = {},
): Promise<Response> {
  const { request } = call;
  refuseActiveUse(request);
  await refuseStaleEpoch(request.headers, call.env);
  const { sender, isRepeatable } = await prepare(call, named.name, how);
  const { service, regionId } = await placed(call, named);
  const first = await tryOne(sender, service, { regionId, tried: [] });
  const retries = statsOf(service.name).retries;
  retries.countRequest();
  if (!isRepeatable || !isWorthRetrying(first) || request.signal.aborted) return settle(first);
  const again = chooseAgain(service, regionId, first);
  if (!again || !retries.take()) return settle(first);
  if (first.kind === 'answered') await first.answer.body?.cancel();
  return settle(await attempt(sender, again));
}

/**
 * The candidate instances by the state of their regions; a service in no region costs no lookup.
 */
async function placed(call: Call<Env>, service: ServiceState) {
  const regionId = regionOf(call.request);
  const isInRegions = service.instances.some(({ region_id }) => region_id !== null);
  const table = isInRegions ? await regionTable(call) : undefined;
  // Regions without nodes are only locations: their health is unknown, and none is preferred.
  if (!table || table.nodes === 0) return { service, regionId };
  const placement = placeRequest(service.instances, regionId, table);
  return {
    service: { ...service, instances: placement.instances },
    regionId: placement.regionId,
  };
}

export interface Forwarding extends Omit<Destination, 'service'> {
  /** The time limit for the response to begin; UPSTREAM_TIMEOUT_MS by default. */
  readonly timeoutMs?: number;
  /** Never retry, even where the caller marks the request as repeatable. */
  readonly isOnce?: true;
}

interface Prepared {
  readonly sender: Sender;
  /** Whether it may be retried. */
  readonly isRepeatable: boolean;
}

async function prepare(
  call: Call<Env>,
  service: string,
  { timeoutMs = call.env.UPSTREAM_TIMEOUT_MS, isOnce, ...place }: Forwarding,
): Promise<Prepared> {
  const { env, request, url } = call;
  const outgoing = outgoingRequestOf(call, { service, ...place });
  // A route that led here has authenticated the caller already.
  const isKnown = call.caller.kind !== 'anonymous';
  const caller = isKnown ? call.caller : await guard(call, 'authenticated');
  const { body, isAllowed } = await replayOf(request);
  const isHere = env.AUTH_MODE === 'local' && isFromHere(request, url);
  const sender: Sender = {
    service,
    outgoing: withoutCredentials(outgoing),
    identity: { caller: identityOf(caller), here: isHere },
    sign: identitySigner(env),
    sending: {
      body,
      timeoutMs,
      hungUp: request.signal,
      fetchTo: (address) =>
        fetchAt(env, isWebSocket(request) ? fetchSocket(env, caller) : outboundTo(env, address)),
    },
  };
  return { sender, isRepeatable: isAllowed && !isOnce };
}

/** The caller as it is signed, with all members present. */
function identityOf(caller: Caller): IdentityClaims['caller'] {
  return 'scopes' in caller ? { ...caller, scopes: [...caller.scopes] } : caller;
}

interface Choosing {
  readonly regionId: string | null;
  readonly tried: readonly string[];
}

function choose({ name, instances }: ServiceState, { regionId, tried }: Choosing) {
  const stats = statsOf(name);
  const now = Date.now();
  const candidates = instances.map((instance) => {
    const { outlier, inFlight } = stats.of(instance.url);
    const { id, weight, region_id, status } = instance;
    const isOut = isEjected(outlier, now);
    return { id, weight, regionId: region_id, status, isEjected: isOut, inFlight, instance };
  });
  return chooseInstance(candidates, { regionId, tried, random: Math.random })?.instance;
}

function tryOne(sender: Sender, service: ServiceState, choosing: Choosing): Promise<Attempt> {
  const instance = choose(service, choosing);
  if (instance) return attempt(sender, instance);
  throw new Problem('no_healthy_instance', noneHealthy(service), {
    headers: { 'retry-after': '1' },
  });
}

function noneHealthy({ name, instances }: ServiceState): string {
  const why = instances[0]?.lastError ?? 'its health is not known';
  const which =
    instances.length === 1 ? 'The one instance' : `None of ${instances.length} instances`;
  return `${which} of ${name} is ${instances.length === 1 ? 'critical' : 'healthy'}: ${why}.`;
}

const CANNOT_NOW = [502, 503, 504];

const isWorthRetrying = (tried: Attempt) =>
  tried.kind === 'answered' ? CANNOT_NOW.includes(tried.answer.status) : tried.isUnreached;

/** Another instance; where there is none, a broken connection is retried once. */
function chooseAgain(
  service: ServiceState,
  regionId: string | null,
  first: Attempt,
): InstanceState | undefined {
  const other = choose(service, { regionId, tried: [first.instance.id] });
  return other ?? (first.kind === 'failed' ? first.instance : undefined);
}

function settle(tried: Attempt): Response {
  if (tried.kind === 'failed') throw tried.problem;
  return returnedResponse(tried.answer, false);
}
