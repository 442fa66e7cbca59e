import { queryOptions } from '@tanstack/react-query';
import { getService, getServices, getServicesHealth } from './gateway-client.ts';

const SERVICES_EVERY_MS = 10_000;

export const servicesQuery = queryOptions({
  queryKey: ['services'],
  queryFn: ({ signal }) => getServices(signal),
  refetchInterval: SERVICES_EVERY_MS,
});

export const servicesHealthQuery = queryOptions({
  queryKey: ['services', 'health'],
  queryFn: ({ signal }) => getServicesHealth(signal),
  refetchInterval: SERVICES_EVERY_MS,
});

export const serviceQuery = (name: string) =>
  queryOptions({
    queryKey: ['services', 'one', name],
    queryFn: ({ signal }) => getService(name, signal),
    refetchInterval: SERVICES_EVERY_MS,
  });

export const modelCountQuery = queryOptions({
  queryKey: ['models', 'count'],
  // The registry's schemas are many, and the first screen needs this one number of it.
  queryFn: async ({ signal }) => (await import('./model-queries.ts')).countModels(signal),
});
