import { credentialsOf } from '../access/credentials.ts';
import { allowedOrigins } from '../access/origin.ts';
import { checkOrigin } from '../http/origin.ts';
import { noCredentials } from '../http/refusals.ts';
import { logEndpoints } from './endpoints.ts';
import type { Env } from '../env.ts';
import { visibleEventTypes } from '../events/visible-types.ts';
import { refuseFull, writeCaller } from '../gateway/socket-quota.ts';
import type { Caller } from '../http/caller.ts';
import { pageEnd, readCursor } from '../http/cursor.ts';
import { holderOf, teamOf, teamSeen } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import { type CallOf, type ReplyOf, routesOf } from '../http/route.ts';
import type { Publisher } from './line.ts';
import { logSocketsOf, logsOf } from './log-stub.ts';
import { writeStreamQuery } from './stream-query.ts';

type Endpoints = typeof logEndpoints;
type Handled<K extends keyof Endpoints> = CallOf<Env, Endpoints[K]>;
type Reply<K extends keyof Endpoints> = Promise<ReplyOf<Endpoints[K]>>;

/** /distributed_brain/… and its WebSocket: the log of the platform. */
export const logRoutes = routesOf<Env, Endpoints>(logEndpoints, {
  publishLog,
  publishLogs,
  searchLogs,
  getLogMetrics,
  streamLogs,
});

async function publishLog({ body, env, caller }: Handled<'publishLog'>): Reply<'publishLog'> {
  const { id, first, delivered, dropped } = await logsOf(env).publish([body], publisherOf(caller));
  return { status: 202, body: { id, seq: first, delivered, dropped } };
}

async function publishLogs({ body, env, caller }: Handled<'publishLogs'>): Reply<'publishLogs'> {
  const { logs } = body;
  const { first, last, delivered, dropped } = await logsOf(env).publish(logs, publisherOf(caller));
  const numbers = { accepted: logs.length, first_seq: first, last_seq: last };
  return { status: 202, body: { ...numbers, delivered, dropped } };
}

async function searchLogs({ query, env, caller }: Handled<'searchLogs'>): Reply<'searchLogs'> {
  const { cursor, ...wanted } = query;
  const { limit: _, ...filters } = wanted;
  const seen = { ...wanted, team: teamSeen(caller) };
  const { logs, next } = await logsOf(env).search(seen, readCursor(cursor, filters));
  return { status: 200, body: { logs: [...logs], ...pageEnd(next, filters) } };
}

async function getLogMetrics({ env }: Handled<'getLogMetrics'>): Reply<'getLogMetrics'> {
  return { status: 200, body: await logsOf(env).metrics() };
}

/**
 * Opens the stream. Credentials that a browser adds by itself do not suffice, nor does a local
 * origin: a key, a token, or a ticket made with them is required.
 *
 * @throws Problem forbidden for events that the caller may not see
 */
async function streamLogs(call: Handled<'streamLogs'>): Promise<Response> {
  const { request, url, env, caller, query } = call;
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') {
    throw new Problem('upgrade_required', 'The request has no Upgrade: websocket.', {
      headers: { upgrade: 'websocket' },
    });
  }
  const { kind } = credentialsOf(call);
  if (kind !== 'bearer' && kind !== 'ticket') {
    throw noCredentials('The log stream needs a key, a token, or a ticket of POST /ws/tickets.');
  }
  checkOrigin(request, url, allowedOrigins(env));
  const headers = new Headers({ upgrade: 'websocket' });
  const offered = request.headers.get('sec-websocket-protocol');
  if (offered !== null) headers.set('sec-websocket-protocol', offered);
  writeCaller(headers, caller);
  if (query.events) visibleEventTypes(caller, query.events);
  writeStreamQuery(headers, query);
  const answer = await logSocketsOf(env).fetch('http://logs.internal/', { headers });
  refuseFull(answer, caller, env.QUOTAS);
  return answer;
}

const publisherOf = (caller: Caller): Publisher => ({
  source: 'id' in caller ? `${caller.kind}:${caller.id}` : caller.kind,
  owner: holderOf(caller),
  team: teamOf(caller),
});
