import { queryOptions } from '@tanstack/react-query';
import { type BrainAnswered, brainEndpoints } from '../../edge/brain/endpoints.ts';
import type { BrainPromptInput } from '../../edge/brain/contract/prompt.ts';
import { discoveryEndpoints } from '../../edge/discovery/endpoints.ts';
import { clientOf } from '../../edge/contract/client.ts';
import { serviceHttp } from './service-http.ts';

const http = serviceHttp('');
const discoveryApi = clientOf(discoveryEndpoints, http);
const brainApi = clientOf(brainEndpoints, http);

export const TOPOLOGY_EVERY_MS = 2_000;
const ROUTES = 20;

/** The nodes of a brain and the ways between them, asked for again and again. */
export const topologyQuery = queryOptions({
  queryKey: ['brain', 'topology'],
  queryFn: ({ signal }) => discoveryApi.nodeTopology({ query: {}, signal }),
  refetchInterval: TOPOLOGY_EVERY_MS,
});

/** The ways that prompts took, the latest first. */
export const routesQuery = queryOptions({
  queryKey: ['brain', 'routes'],
  queryFn: async ({ signal }) =>
    (await brainApi.listRoutes({ query: { limit: ROUTES }, signal })).routes,
  refetchInterval: TOPOLOGY_EVERY_MS,
});

/** Has a brain answer. @throws ProblemError where no module could */
export const askBrain = (prompt: BrainPromptInput): Promise<BrainAnswered> =>
  brainApi.askBrain({ body: prompt });
