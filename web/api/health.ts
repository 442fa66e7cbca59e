import { queryOptions } from '@tanstack/react-query';
import { clientOf } from '../../edge/contract/client.ts';
import type { Health } from '../../edge/health/contract/health.ts';
import { healthEndpoints } from '../../edge/health/endpoints.ts';
import { serviceHttp } from './service-http.ts';

/** The gateway is where the dashboard came from: no other address is ever asked. */
const healthApi = clientOf(healthEndpoints, serviceHttp(''));

/**
 * The gateway's health. "Unavailable" is an answer too, with status 503: the gateway is there.
 * @throws ProblemError for any other refusal, TypeError where nothing answered
 */
export const getHealth = (signal: AbortSignal): Promise<Health> => healthApi.health({ signal });

/** Filled by the connection watch, which asks anyway: see app/connect.ts. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => getHealth(signal),
  staleTime: 30_000,
});
