import { callEndpoint, clientOf } from '../../edge/contract/client.ts';
import { gatewayEndpoints } from '../../edge/gateway/endpoints.ts';
import type {
  ServiceList,
  ServiceRecord,
  ServiceRegistrationInput,
  ServicesHealth,
} from '../../edge/contract/service.ts';
import { serviceHttp } from './service-http.ts';

const gateway = serviceHttp('');
const gatewayApi = clientOf(gatewayEndpoints, gateway);

/** The registered services, with their instances. */
export const getServices = (signal: AbortSignal): Promise<ServiceList> =>
  gatewayApi.listServices({ signal });

/** The state of each service as the gateway last saw it. */
export const getServicesHealth = (signal: AbortSignal): Promise<ServicesHealth> =>
  gatewayApi.servicesHealth({ signal });

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
export const registerService = (
  body: ServiceRegistrationInput,
  etag: string | null,
): Promise<ServiceRecord> => gatewayApi.registerService({ body, ...ifMatch(etag) });

/** @throws ProblemError service_not_found, precondition_failed */
export async function deleteService(name: string, etag: string | null): Promise<void> {
  await gatewayApi.deleteService({
    params: { name },
    ...ifMatch(etag),
  });
}
