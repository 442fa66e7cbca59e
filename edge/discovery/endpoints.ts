import * as z from 'zod/mini';
import { Topology, UiExport } from './contract/node.ts';
import type { Endpoints } from '../contract/endpoint.ts';
import { Team } from '../contract/team.ts';

/** What a brain is called whose nodes say nothing else. */
export const DEFAULT_NAMESPACE = 'default';

/** A name in the address of a broker: of a brain, or of a region. */
export const BrokerName = z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,62}$/));

const query = z.strictObject({
  namespace: z.prefault(BrokerName, DEFAULT_NAMESPACE),
  region: z.optional(BrokerName),
  /** Of administrators: whose brain is meant. Everybody else's is their team's. */
  team: z.optional(Team),
});

/** What is known of the nodes of a distributed brain. */
export const discoveryEndpoints = {
  nodeHealth: {
    method: 'GET',
    path: '/api/node-discovery/health',
    summary: 'The nodes of a brain with a summary, in one region or in all of them.',
    access: 'discovery:read',
    query,
    answers: { 200: UiExport },
  },
  nodeTopology: {
    method: 'GET',
    path: '/api/node-discovery/topology',
    summary: 'The nodes of a brain and the ways that prompts can take between them.',
    access: 'discovery:read',
    query,
    answers: { 200: Topology },
  },
} as const satisfies Endpoints;
