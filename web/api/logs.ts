import { queryOptions } from '@tanstack/react-query';
import { clientOf } from '../../edge/contract/client.ts';
import { logEndpoints } from '../../edge/logs/endpoints.ts';
import { serviceHttp } from './service-http.ts';

const http = serviceHttp('');
const logApi = clientOf(logEndpoints, http);

export const LOG_METRICS_EVERY_MS = 5_000;

/** The counters of the log stream, asked for again and again. */
export const logMetricsQuery = queryOptions({
  queryKey: ['logs', 'metrics'],
  refetchInterval: LOG_METRICS_EVERY_MS,
  queryFn: ({ signal }) => logApi.getLogMetrics({ signal }),
});
