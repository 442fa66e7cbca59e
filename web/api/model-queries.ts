import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { clientOf, pathOf, queryOf } from '../../edge/contract/client.ts';
import type { ModelFilters } from '../../edge/registry/contract/model-list.ts';
import { registryEndpoints } from '../../edge/registry/endpoints.ts';
import { serviceHttp } from './service-http.ts';

const registry = serviceHttp('/registry');
const registryApi = clientOf(registryEndpoints, registry);

/** Models asked for at a time. */
const MODEL_PAGE = 20;

async function listModels(filters: ModelFilters, signal: AbortSignal) {
  return registryApi.listModels({ query: { ...filters }, signal });
}

export async function countModels(signal: AbortSignal): Promise<number> {
  return (await listModels({ limit: 1 }, signal)).total;
}

export type ModelSearch = Pick<ModelFilters, 'name' | 'model_type' | 'framework' | 'alias' | 'tag'>;

export const modelsQuery = (search: ModelSearch) =>
  infiniteQueryOptions({
    queryKey: ['models', 'list', search],
    queryFn: ({ signal, pageParam: cursor }) =>
      listModels({ ...search, limit: MODEL_PAGE, ...(cursor !== null && { cursor }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

/** @param version the model's default one where it is empty */
export const modelQuery = (modelId: string, version: string) =>
  queryOptions({
    queryKey: ['models', 'one', modelId, version],
    queryFn: async ({ signal }) => {
      const query = version === '' ? {} : { version };
      return registryApi.getModel({ params: { id: modelId }, query, signal });
    },
  });

interface ModelFile {
  readonly id: string;
  readonly version?: string | undefined;
  /** In place of a version. */
  readonly alias?: string | undefined;
  readonly filename: string;
}

/** The address a link to a file leads to. */
export const downloadUrl = ({ id, version, alias, filename }: ModelFile): string =>
  registry.base +
  pathOf(registryEndpoints.downloadFile.path, { id, filename }) +
  queryOf({ version, alias });
