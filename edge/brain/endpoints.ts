import * as z from 'zod/mini';
import * as brainPromptSchemas from './contract/prompt.ts';
import { BrainPrompt, MAX_PROMPT_BYTES } from './contract/prompt.ts';
import * as brainReplySchemas from './contract/reply.ts';
import { BrainAnswer, BrainRoute } from './contract/reply.ts';
import { BrokerName, DEFAULT_NAMESPACE } from '../discovery/endpoints.ts';
import { type Endpoints, post, get } from '../contract/endpoint.ts';
import { Team } from '../contract/team.ts';
import { describe } from '../contract/endpoint-docs.ts';

/** Maximum number of routes stored per region. */
export const MAX_ROUTES = 200;

const namespace = z.prefault(BrokerName, DEFAULT_NAMESPACE);
/** Of administrators: whose brain is meant. Everybody else's is their team's. */
const team = z.optional(Team);

const RouteCount = z.pipe(
  z.string().check(z.regex(/^(?:[1-9]\d?|1\d\d|200)$/, 'expected a whole number from 1 to 200')),
  z.transform(Number),
);

/** Answer of a brain, and the route of its prompt. */
export const BrainAnswered = z.object({
  answer: BrainAnswer,
  route: BrainRoute,
  /** From here to the PFC and back, without what the route took. */
  gateway_ms: z.number(),
});
export type BrainAnswered = z.infer<typeof BrainAnswered>;

/** The ways prompts took, the latest first. */
export const RouteList = z.object({ routes: z.array(BrainRoute), total: z.int() });
export type RouteList = z.infer<typeof RouteList>;

/** Prompts to a distributed brain, and the ways they took. */
export const brainEndpoints = {
  askBrain: post('/api/brain/ask', 'infer', {
    summary: 'Gives a prompt to the PFC of a brain, which has the right module answer it.',
    query: z.strictObject({ namespace, team }),
    body: BrainPrompt,
    maxBodyBytes: MAX_PROMPT_BYTES,
    responses: { 200: BrainAnswered },
    problems: ['no_healthy_instance', 'overloaded', 'upstream_timeout', 'upstream_error'],
  }),
  listRoutes: get('/api/brain/routes', 'discovery:read', {
    summary: 'The ways that prompts took through a brain lately, with the reasons.',
    query: z.strictObject({ namespace, team, limit: z.prefault(RouteCount, '50') }),
    responses: { 200: RouteList },
  }),
} as const satisfies Endpoints;

/** Parameters, examples and links of the table. */
export const brainDocs = () => {
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

  return describe(brainEndpoints, {
    schemas: [brainPromptSchemas, brainReplySchemas, { BrainAnswered, RouteList }],
    params: {},
    operations: {
      askBrain: {
        query: { namespace: 'default' },
        body: { text: 'Call me ', config: { max_length: 40, temperature: 0.8, seed: 5 } },
        answer: {
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
      listRoutes: {
        query: { namespace: 'default', limit: '50' },
        answer: { routes: [route], total: 1 },
      },
    },
  });
};
