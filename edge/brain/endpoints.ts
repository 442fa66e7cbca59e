import * as z from 'zod/mini';
import { BrainPrompt, MAX_PROMPT_BYTES } from './contract/prompt.ts';
import { BrainAnswer, BrainRoute } from './contract/reply.ts';
import { BrokerName, DEFAULT_NAMESPACE } from '../discovery/endpoints.ts';
import type { Endpoints } from '../contract/endpoint.ts';
import { Team } from '../contract/team.ts';

/** So many routes of a region are kept. */
export const MAX_ROUTES = 200;

const namespace = z.prefault(BrokerName, DEFAULT_NAMESPACE);
/** Of administrators: whose brain is meant. Everybody else's is their team's. */
const team = z.optional(Team);

const RouteCount = z.pipe(
  z.string().check(z.regex(/^(?:[1-9]\d?|1\d\d|200)$/, 'expected a whole number from 1 to 200')),
  z.transform(Number),
);

/** What a brain answered, and the way the prompt took. */
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
  askBrain: {
    method: 'POST',
    path: '/api/brain/ask',
    summary: 'Gives a prompt to the PFC of a brain, which has the right module answer it.',
    access: 'infer',
    query: z.strictObject({ namespace, team }),
    body: BrainPrompt,
    maxBodyBytes: MAX_PROMPT_BYTES,
    answers: { 200: BrainAnswered },
    problems: ['no_healthy_instance', 'overloaded', 'upstream_timeout', 'upstream_error'],
  },
  listRoutes: {
    method: 'GET',
    path: '/api/brain/routes',
    summary: 'The ways that prompts took through a brain lately, with the reasons.',
    access: 'discovery:read',
    query: z.strictObject({ namespace, team, limit: z.prefault(RouteCount, '50') }),
    answers: { 200: RouteList },
  },
} as const satisfies Endpoints;
