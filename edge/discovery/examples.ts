import type { discoveryEndpoints } from './endpoints.ts';
import type { NodeInfo } from './contract/node.ts';
import type { ExamplesOf } from '../api-description/description.ts';

const pfc: NodeInfo = {
  node_id: 'pfc-1',
  module_type: 'pfc',
  host: 'tokyo-3',
  status: 'active',
  last_seen: 1_795_168_800.4,
  health_score: 0.71,
  region_id: 'ap-northeast-1',
  metadata: { step_count: 120, active_task: false, cpu_percent: 31, phi: 0.05 },
};

const language: NodeInfo = {
  ...pfc,
  node_id: 'lang-1',
  module_type: 'lang-main',
  host: 'tokyo-4',
  health_score: 0.83,
  metadata: { step_count: 88, active_task: true, cpu_percent: 17, phi: 0.02 },
};

export const discoveryExamples: ExamplesOf<typeof discoveryEndpoints> = {
  nodeHealth: {
    query: { namespace: 'default' },
    answers: {
      200: {
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
  },
  nodeTopology: {
    query: { namespace: 'default', region: 'ap-northeast-1' },
    answers: {
      200: {
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
};
