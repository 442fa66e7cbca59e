import type { brainEndpoints } from './endpoints.ts';
import type { BrainRoute } from './contract/reply.ts';
import type { ExamplesOf } from '../api-description/description.ts';

const route: BrainRoute = {
  route_id: 'route_01KAJ9W9A1B2C3D4E5F6G7H8J9',
  at: '2026-11-21T10:00:00.000Z',
  pfc: { node_id: 'pfc-1', region_id: 'ap-northeast-1' },
  modalities: ['text'],
  target: 'lang-main',
  base_type: 'lang-main',
  status: 'answered',
  node_id: 'lang-1',
  fallback: false,
  reason: 'lang-1 is the least loaded of 2 active lang-main nodes',
  hops: [
    {
      node_id: 'lang-1',
      region_id: 'ap-northeast-1',
      topic: 'node/lang-1/prompt',
      fallback: false,
      reason: 'lang-1 is the least loaded of 2 active lang-main nodes',
      status: 'answered',
      taken_ms: 3.2,
      total_ms: 84,
      detail: null,
    },
  ],
  considered: [
    { node_id: 'lang-1', region_id: 'ap-northeast-1', weight: 0.81, load: 0, excluded: null },
    {
      node_id: 'lang-2',
      region_id: 'ap-northeast-1',
      weight: 0.4,
      load: 1,
      excluded: 'another is less loaded',
    },
  ],
  total_ms: 85,
};

export const brainExamples: ExamplesOf<typeof brainEndpoints> = {
  askBrain: {
    query: { namespace: 'default' },
    body: { text: 'Call me ', config: { max_length: 40, temperature: 0.8, seed: 5 } },
    answers: {
      200: {
        answer: {
          node_id: 'lang-1',
          module_type: 'lang-main',
          outputs: { text: 'Ishmael. Some years ago, never mind how ' },
          model: {
            model_id: 'tiny',
            model_version: '1.0.0',
            model_digest: `sha256:${'3f'.repeat(32)}`,
          },
          total_ms: 80,
        },
        route,
        gateway_ms: 4,
      },
    },
  },
  listRoutes: {
    query: { namespace: 'default', limit: '50' },
    answers: { 200: { routes: [route], total: 1 } },
  },
};
