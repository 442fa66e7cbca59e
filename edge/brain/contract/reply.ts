import * as z from 'zod/mini';
import { Timestamp } from '../../contract/timestamp.ts';
import { Modality } from './prompt.ts';

/** A module's reply: one kind of output, with the model that made it. */
export const BrainAnswer = z.object({
  node_id: z.string(),
  module_type: z.string(),
  outputs: z.object({
    text: z.optional(z.string()),
    /** All classes, the most probable first. */
    classes: z.optional(z.array(z.object({ label: z.string(), probability: z.number() }))),
    /** The decoded motor command, one number for each axis. */
    command: z.optional(z.array(z.number())),
  }),
  /** The model of the registry; null where the module has none. */
  model: z.nullable(
    z.object({ model_id: z.string(), model_version: z.string(), model_digest: z.string() }),
  ),
  /** The time the node took, including its queue. */
  total_ms: z.number(),
});
export type BrainAnswer = z.infer<typeof BrainAnswer>;

/** Why a module did not reply: the code of a problem, and a sentence. */
export const Refusal = z.object({ code: z.string(), detail: z.string() });
export type Refusal = z.infer<typeof Refusal>;

/** The outcome of an attempt. `silent`: no reply in time; `left`: the node left meanwhile. */
export const HopStatus = z.enum(['answered', 'refused', 'silent', 'left']);
export type HopStatus = z.infer<typeof HopStatus>;

/** One attempt to have a prompt answered. */
export const Hop = z.object({
  /** The node that accepted it; null where none did. */
  node_id: z.nullable(z.string()),
  region_id: z.string(),
  topic: z.string(),
  /** Whether it went to lang-main as a fallback. */
  fallback: z.boolean(),
  /** The reason of the choice. */
  reason: z.string(),
  status: HopStatus,
  /** The round trip until the node accepted; null where it never did. */
  taken_ms: z.nullable(z.number()),
  total_ms: z.number(),
  detail: z.nullable(z.string()),
});
export type Hop = z.infer<typeof Hop>;

/** A candidate node, and why it was not chosen; null where it was. */
export const Considered = z.object({
  node_id: z.string(),
  region_id: z.string(),
  /** The weight among candidates: health, reduced by suspicion, load and recent failures. */
  weight: z.number(),
  /** Its requests in flight. */
  load: z.number(),
  excluded: z.nullable(z.string()),
});
export type Considered = z.infer<typeof Considered>;

/** The route of a prompt through a brain, with reasons. */
export const BrainRoute = z.object({
  route_id: z.string(),
  at: Timestamp,
  pfc: z.object({ node_id: z.string(), region_id: z.string() }),
  modalities: z.array(Modality),
  /** The target module as named, and its base type. */
  target: z.string(),
  base_type: z.string(),
  status: z.enum(['answered', 'refused', 'silent']),
  /** The node that replied; null where none did. */
  node_id: z.nullable(z.string()),
  fallback: z.boolean(),
  /** In one sentence. */
  reason: z.string(),
  /** One, or two where the first failed. */
  hops: z.array(Hop),
  /** Of the last choice. */
  considered: z.array(Considered),
  total_ms: z.number(),
});
export type BrainRoute = z.infer<typeof BrainRoute>;

/** A reply over a broker. A node first accepts the prompt, then replies. */
export const BrainReply = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('taken'), node_id: z.string() }),
  z.object({ kind: z.literal('answer'), answer: BrainAnswer, route: z.optional(BrainRoute) }),
  z.object({
    kind: z.literal('refused'),
    node_id: z.string(),
    refusal: Refusal,
    route: z.optional(BrainRoute),
  }),
]);
export type BrainReply = z.infer<typeof BrainReply>;

/** Parses a reply; undefined where it is invalid. */
export function parseReply(payload: Uint8Array): BrainReply | undefined {
  try {
    const parsed = BrainReply.safeParse(JSON.parse(new TextDecoder().decode(payload)));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
