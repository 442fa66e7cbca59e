import { callEndpoint } from '../../edge/contract/endpoint-client.ts';
import { gatewayEndpoints } from '../../edge/gateway/endpoints.ts';
import { healthEndpoints } from '../../edge/health/endpoints.ts';
import type { Health } from '../../edge/health/contract/health.ts';
import type {
  ServiceList,
  ServiceRecord,
  ServiceRegistrationInput,
  ServicesHealth,
} from '../../edge/contract/service.ts';
import { serviceHttp } from './service-http.ts';

/** The gateway is where the dashboard came from: no other address is ever asked. */
const gateway = serviceHttp('');

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

/** A service, and what names its registration as it was read. */
export interface ReadService {
  readonly record: ServiceRecord;
  /** Null for what is not registered, and so cannot be changed. */
  readonly etag: string | null;
}

/** @throws ProblemError service_not_found */
export async function getService(name: string, signal: AbortSignal): Promise<ReadService> {
  const asked = { params: { name }, signal };
  const { body, headers } = await callEndpoint(gateway, gatewayEndpoints.getService, asked);
  return { record: body, etag: headers.get('etag') };
}

const ifMatch = (etag: string | null) => (etag === null ? {} : { headers: { 'if-match': etag } });

/**
 * Registers a service, or replaces the registration with this ETag.
 * @throws ProblemError validation_failed, reserved_name, precondition_failed
 */
export async function registerService(
  body: ServiceRegistrationInput,
  etag: string | null,
): Promise<ServiceRecord> {
  const asked = { body, ...ifMatch(etag) };
  return (await callEndpoint(gateway, gatewayEndpoints.registerService, asked)).body;
}

/** @throws ProblemError service_not_found, precondition_failed */
export async function deleteService(name: string, etag: string | null): Promise<void> {
  await callEndpoint(gateway, gatewayEndpoints.deleteService, {
    params: { name },
    ...ifMatch(etag),
  });
}
