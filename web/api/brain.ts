import { queryOptions } from '@tanstack/react-query';
import { type BrainAnswered, brainEndpoints } from '../../edge/brain/endpoints.ts';
import type { BrainPromptInput } from '../../edge/brain/contract/prompt.ts';
import { discoveryEndpoints } from '../../edge/discovery/endpoints.ts';
import { callEndpoint } from '../../edge/contract/endpoint-client.ts';
import { serviceHttp } from './service-http.ts';

const http = serviceHttp('');

export const TOPOLOGY_EVERY_MS = 2_000;
const ROUTES = 20;

/** The nodes of a brain and the ways between them, asked for again and again. */
export const topologyQuery = queryOptions({
  queryKey: ['brain', 'topology'],
  queryFn: async ({ signal }) =>
    (await callEndpoint(http, discoveryEndpoints.nodeTopology, { query: {}, signal })).body,
  refetchInterval: TOPOLOGY_EVERY_MS,
});

/** The ways that prompts took, the latest first. */
export const routesQuery = queryOptions({
  queryKey: ['brain', 'routes'],
  queryFn: async ({ signal }) => {
    const asked = { query: { limit: ROUTES }, signal };
    return (await callEndpoint(http, brainEndpoints.listRoutes, asked)).body.routes;
  },
  refetchInterval: TOPOLOGY_EVERY_MS,
});

/** Has a brain answer. @throws ProblemError where no module could */
export async function askBrain(prompt: BrainPromptInput): Promise<BrainAnswered> {
  const asked = { query: {}, body: prompt };
  return (await callEndpoint(http, brainEndpoints.askBrain, asked)).body;
}
