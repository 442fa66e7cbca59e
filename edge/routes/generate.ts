import { legacyEndpoints } from '../contract/gateway-endpoints.ts';
import type { Env } from '../env.ts';
import { forward } from '../gateway/forward.ts';
import { findService } from '../gateway/service-table.ts';
import { Problem } from '../http/problem.ts';
import { type CallOf, routesOf } from '../http/route.ts';

const { generate: endpoint } = legacyEndpoints;
const SUCCESSOR = '/inference/infer';
/** When `/infer` took its place (RFC 9745), and when this path ends (RFC 8594). */
const DEPRECATED_AT = Date.UTC(2026, 10, 20) / 1000;
const SUNSET = new Date(`${endpoint.sunset}T00:00:00Z`).toUTCString();

/** /api/generate: what older clients still call. */
export const generateRoutes = routesOf<Env, typeof legacyEndpoints>(legacyEndpoints, { generate });

async function generate(call: CallOf<Env, typeof endpoint>): Promise<Response> {
  const { answerHeaders } = call;
  answerHeaders.set('deprecation', `@${DEPRECATED_AT}`);
  answerHeaders.set('sunset', SUNSET);
  answerHeaders.set('link', `<${SUCCESSOR}>; rel="successor-version"`);
  const service = await findService(call, 'inference');
  if (!service) {
    throw new Problem('service_not_found', 'There is no service named inference to answer this.');
  }
  return forward(call, service, '/infer');
}
