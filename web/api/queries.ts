import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ModelFilters } from '../../edge/contract/model-list.ts';
import { createRegistryClient } from '../../edge/contract/registry-client.ts';
import { getHealth, getServices, getServicesHealth } from './gateway-client.ts';

/** The registry as the gateway forwards to it: same origin, so no other address is ever asked. */
export const registry = createRegistryClient({ base: '/registry' });

/** Models asked for at a time. */
export const MODEL_PAGE = 20;

const SERVICES_EVERY_MS = 10_000;

/** Filled by the connection watch, which asks anyway: see app/connect.ts. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => getHealth(signal),
  staleTime: 30_000,
});

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

export const modelCountQuery = queryOptions({
  queryKey: ['models', 'count'],
  queryFn: async ({ signal }) => (await registry.list({ limit: 1 }, { signal })).total,
});

export type ModelSearch = Pick<ModelFilters, 'name' | 'model_type' | 'framework'>;

export const modelsQuery = (search: ModelSearch) =>
  infiniteQueryOptions({
    queryKey: ['models', 'list', search],
    queryFn: ({ signal, pageParam }) =>
      registry.list(
        { ...search, limit: MODEL_PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

/** @param version the model's default one where it is empty */
export const modelQuery = (modelId: string, version: string) =>
  queryOptions({
    queryKey: ['models', 'one', modelId, version],
    queryFn: ({ signal }) =>
      registry.get(modelId, version === '' ? { signal } : { signal, version }),
  });
