import { callEndpoint } from '../../edge/contract/endpoint-client.ts';
import { gatewayEndpoints } from '../../edge/contract/gateway-endpoints.ts';
import { healthEndpoints } from '../../edge/contract/health-endpoints.ts';
import type { Health } from '../../edge/contract/health.ts';
import { openHttp } from '../../edge/contract/http-client.ts';
import type { ServiceList, ServicesHealth } from '../../edge/contract/service.ts';

/** The gateway is where the dashboard came from: no other address is ever asked. */
const gateway = openHttp({
  base: '',
  fetch: (input, init) => fetch(input, { ...init, cache: 'no-store' }),
});

/**
 * The gateway's health. "Unavailable" is an answer too, with status 503: the gateway is there.
 * @throws ProblemError for any other refusal, TypeError where nothing answered
 */
export async function getHealth(signal: AbortSignal): Promise<Health> {
  return (await callEndpoint(gateway, healthEndpoints.health, { signal })).body;
}

/** The registered services, with their instances. */
export async function getServices(signal: AbortSignal): Promise<ServiceList> {
  return (await callEndpoint(gateway, gatewayEndpoints.listServices, { signal })).body;
}

/** The state of each service as the gateway last saw it. */
export async function getServicesHealth(signal: AbortSignal): Promise<ServicesHealth> {
  return (await callEndpoint(gateway, gatewayEndpoints.servicesHealth, { signal })).body;
}
