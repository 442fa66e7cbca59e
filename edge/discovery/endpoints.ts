import * as z from 'zod/mini';
import * as discoveryNodeSchemas from './contract/node.ts';
import { type Endpoints, get } from '../contract/endpoint.ts';
import { Team } from '../contract/team.ts';
import { describe } from '../contract/endpoint-docs.ts';

/** Namespace of nodes that name none. */
export const DEFAULT_NAMESPACE = 'default';

/** A name in the address of a broker: of a brain, or of a region. */
export const BrokerName = z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,62}$/));

const query = z.strictObject({
  namespace: z.prefault(BrokerName, DEFAULT_NAMESPACE),
  region: z.optional(BrokerName),
  /** Of administrators: whose brain is meant. Everybody else's is their team's. */
  team: z.optional(Team),
});

/** Nodes of a distributed brain. */
export const discoveryEndpoints = {
  nodeHealth: get('/api/node-discovery/health', 'discovery:read', {
    summary: 'The nodes of a brain with a summary, in one region or in all of them.',
    query,
    responses: { 200: discoveryNodeSchemas.UiExport },
  }),
  nodeTopology: get('/api/node-discovery/topology', 'discovery:read', {
    summary: 'The nodes of a brain and the ways that prompts can take between them.',
    query,
    responses: { 200: discoveryNodeSchemas.Topology },
  }),
} as const satisfies Endpoints;

/** Parameters, examples and links of the table. */
export const discoveryDocs = () => {
  const pfc: discoveryNodeSchemas.NodeInfo = {
    node_id: 'pfc-1',
    module_type: 'pfc',
    host: 'tokyo-3',
    status: 'active',
    last_seen: 1_795_168_800.4,
    health_score: 0.71,
    region_id: 'ap-northeast-1',
    metadata: { step_count: 120, active_task: false, cpu_percent: 31, phi: 0.05 },
  };

  const language: discoveryNodeSchemas.NodeInfo = {
    ...pfc,
    node_id: 'lang-1',
    module_type: 'lang-main',
    host: 'tokyo-4',
    health_score: 0.83,
    metadata: { step_count: 88, active_task: true, cpu_percent: 17, phi: 0.02 },
  };

  return describe(discoveryEndpoints, {
    schemas: [discoveryNodeSchemas, { BrokerName }],
    params: {},
    operations: {
      nodeHealth: {
        query: { namespace: 'default' },
        answer: {
          nodes: [
            {
              node_id: 'pfc-1',
              type: 'pfc',
              host: 'tokyo-3',
              status: 'active',
              status_icon: '🟢',
              last_seen: '10:00:00',
              uptime: '0.6s ago',
              metadata: pfc.metadata,
            },
          ],
          summary: { active: 1, inactive: 0, total: 1 },
          updated_at: '10:00:01',
        },
      },
      nodeTopology: {
        query: { namespace: 'default', region: 'ap-northeast-1' },
        answer: {
          nodes: [pfc, language],
          edges: [
            {
              id: 'pfc-1/lang-1/routes_to',
              source: 'pfc-1',
              target: 'lang-1',
              relation: 'routes_to',
              topic: 'node/lang-1/prompt',
              status: 'up',
              latency_ms: null,
              weight: 0.814,
              mainstat: '83 %',
            },
          ],
          timestamp: 1_795_168_801,
        },
      },
    },
  });
};
