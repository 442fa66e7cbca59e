import { Health } from '../../edge/contract/health.ts';
import { bodyOf, call, openHttp } from '../../edge/contract/http-client.ts';
import { problemErrorOf } from '../../edge/contract/problem-error.ts';
import { ServiceList, ServicesHealth } from '../../edge/contract/service.ts';

/** The gateway is where the dashboard came from: no other address is ever asked. */
const gateway = openHttp({ base: '' });

/**
 * The gateway's health. "Unavailable" is an answer too, with status 503: the gateway is there.
 * @throws ProblemError for any other refusal, TypeError where nothing answered
 */
export async function getHealth(signal: AbortSignal): Promise<Health> {
  const answer = await gateway.fetch(`${gateway.base}/health`, { signal, cache: 'no-store' });
  if (!answer.ok && answer.status !== 503) throw await problemErrorOf(answer);
  return bodyOf(answer, Health);
}

/** The registered services, with their instances. */
export async function getServices(signal: AbortSignal): Promise<ServiceList> {
  return bodyOf(await call(gateway, '/services', { signal }), ServiceList);
}

/** The state of each service as the gateway last saw it. */
export async function getServicesHealth(signal: AbortSignal): Promise<ServicesHealth> {
  return bodyOf(await call(gateway, '/services/health', { signal }), ServicesHealth);
}
