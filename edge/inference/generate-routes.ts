import { legacyEndpoints } from '../gateway/endpoints.ts';
import type { Env } from '../env.ts';
import { forward, type Forwarding } from '../gateway/forward.ts';
import { findService } from '../gateway/service-table.ts';
import type { Call } from '../http/call.ts';
import { Problem } from '../http/problem.ts';
import { type CallOf, routesOf } from '../http/route.ts';

const { generate: endpoint } = legacyEndpoints;
const SUCCESSOR = '/inference/infer';
/** When `/infer` replaced it (RFC 9745), and when this path is removed (RFC 8594). */
const DEPRECATED_AT = Date.UTC(2026, 10, 20) / 1000;
const SUNSET = new Date(`${endpoint.sunset}T00:00:00Z`).toUTCString();

/** /api/generate: what older clients still call. */
export const generateRoutes = routesOf<Env, typeof legacyEndpoints>(legacyEndpoints, { generate });

async function generate(call: CallOf<Env, typeof endpoint>): Promise<Response> {
  const { responseHeaders } = call;
  responseHeaders.set('deprecation', `@${DEPRECATED_AT}`);
  responseHeaders.set('sunset', SUNSET);
  responseHeaders.set('link', `<${SUCCESSOR}>; rel="successor-version"`);
  return handedOn(call, { path: '/infer' });
}

/** /v1/infer: what the inference service answers there. */
export const inferHere = (call: Call<Env>): Promise<Response> =>
  handedOn(call, { path: '/v1/infer', prefix: '' });

/** @throws Problem service_not_found, and what forwarding throws */
async function handedOn(call: Call<Env>, how: Forwarding): Promise<Response> {
  const service = await findService(call, 'inference');
  if (service) return forward(call, service, how);
  throw new Problem('service_not_found', 'There is no service named inference to answer this.');
}
