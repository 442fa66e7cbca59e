import * as z from 'zod/mini';
import { Timestamp } from '../../contract/timestamp.ts';
import { Modality } from './prompt.ts';

/** What a module made of a prompt: one of its kinds of output, and what made it. */
export const BrainAnswer = z.object({
  node_id: z.string(),
  module_type: z.string(),
  outputs: z.object({
    text: z.optional(z.string()),
    /** All classes, the likeliest first. */
    classes: z.optional(z.array(z.object({ label: z.string(), probability: z.number() }))),
    /** The command that spikes stand for, one number for each axis. */
    command: z.optional(z.array(z.number())),
  }),
  /** The model of the registry that made it; null where the module has none. */
  model: z.nullable(
    z.object({ model_id: z.string(), model_version: z.string(), model_digest: z.string() }),
  ),
  /** What the node took, its own queue included. */
  total_ms: z.number(),
});
export type BrainAnswer = z.infer<typeof BrainAnswer>;

/** Why a module did not answer: a code of the platform's problems, and a sentence. */
export const Refusal = z.object({ code: z.string(), detail: z.string() });
export type Refusal = z.infer<typeof Refusal>;

/** How one try ended. `silent`: nothing came in time; `left`: the node went on the way. */
export const HopStatus = z.enum(['answered', 'refused', 'silent', 'left']);
export type HopStatus = z.infer<typeof HopStatus>;

/** One try to have a prompt answered. */
export const Hop = z.object({
  /** Who took it; null where nobody did. */
  node_id: z.nullable(z.string()),
  region_id: z.string(),
  topic: z.string(),
  /** Whether it went the way of lang-main, as nobody else could take it. */
  fallback: z.boolean(),
  /** Why it went there. */
  reason: z.string(),
  status: HopStatus,
  /** Until the node said that it has it: there and back; null where it never did. */
  taken_ms: z.nullable(z.number()),
  total_ms: z.number(),
  detail: z.nullable(z.string()),
});
export type Hop = z.infer<typeof Hop>;

/** A node that was considered, and why it was not chosen; null where it was. */
export const Considered = z.object({
  node_id: z.string(),
  region_id: z.string(),
  /** How good it is among the others: health against suspicion, load and lately failed tries. */
  weight: z.number(),
  /** Requests that it works at. */
  load: z.number(),
  excluded: z.nullable(z.string()),
});
export type Considered = z.infer<typeof Considered>;

/** The way that a prompt took through a brain, and why. */
export const BrainRoute = z.object({
  route_id: z.string(),
  at: Timestamp,
  pfc: z.object({ node_id: z.string(), region_id: z.string() }),
  modalities: z.array(Modality),
  /** The module it was meant for, as it was named, and its base type. */
  target: z.string(),
  base_type: z.string(),
  status: z.enum(['answered', 'refused', 'silent']),
  /** Who answered; null where nobody did. */
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

/** What comes back over a broker. A node first says that it has the prompt, then answers. */
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

/** The reply in a message; undefined where it is none. */
export function parseReply(payload: Uint8Array): BrainReply | undefined {
  try {
    const parsed = BrainReply.safeParse(JSON.parse(new TextDecoder().decode(payload)));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
