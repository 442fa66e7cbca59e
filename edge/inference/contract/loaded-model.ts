import * as z from 'zod/mini';
import { Alias } from '../../registry/contract/alias.ts';
import { Digest } from '../../contract/digest.ts';
import { Version } from '../../contract/semver.ts';
import { Timestamp } from '../../contract/timestamp.ts';
import { notTogether, says } from '../../contract/schema-rules.ts';

export const ModelState = z.enum(['UNAVAILABLE', 'LOADING', 'READY', 'UNLOADING']);
export type ModelState = z.infer<typeof ModelState>;

/** The body of `POST /load_model/{model_id}`. */
export const LoadRequest = z
  .strictObject({
    version: z.optional(Version),
    alias: z.optional(Alias),
    /** Runs one token, so that the first caller finds everything ready. */
    warmup: z.prefault(z.boolean(), true),
    /** Protects the model from eviction. */
    pin: z.optional(z.boolean()),
    /** Unloads by itself when it was not used for so long. */
    ttl_s: z.optional(z.nullable(z.number().check(z.gte(1), z.lte(604_800)))),
  })
  .check(
    says(
      notTogether('version', 'alias'),
      z.refine(({ version, alias }) => version === undefined || alias === undefined, {
        error: 'expected version or alias, not both',
        path: ['alias'],
      }),
    ),
  );
export type LoadRequestInput = z.input<typeof LoadRequest>;
export type LoadRequest = z.output<typeof LoadRequest>;

export const LoadAnswer = z.object({
  model_id: z.string(),
  version: Version,
  state: ModelState,
  reason: z.string(),
  loaded_at: z.nullable(Timestamp),
  size_bytes: z.nullable(z.int()),
  digest: z.nullable(Digest),
  /** The models evicted to make room, as `id@version`. */
  evicted: z.array(z.string()),
});
export type LoadAnswer = z.infer<typeof LoadAnswer>;

export const LoadedModel = z.object({
  ...LoadAnswer.shape,
  device: z.string(),
  pinned: z.boolean(),
  ttl_s: z.nullable(z.number()),
  last_used_at: z.nullable(Timestamp),
  requests: z.int(),
  /** Requests that found it loaded. */
  hits: z.int(),
});
export type LoadedModel = z.infer<typeof LoadedModel>;

export const LoadedModels = z.object({
  models: z.array(LoadedModel),
  cache: z.object({ capacity: z.int(), used: z.int() }),
});
export type LoadedModels = z.infer<typeof LoadedModels>;

/** How requests are batched; the response of `GET /config`. */
export const BatchingConfig = z.object({
  max_batch_size: z.int(),
  max_queue_delay_us: z.int(),
  max_queue_size: z.int(),
  timeout_action: z.enum(['reject', 'continue']),
  priority_levels: z.int(),
  /** Waits only as long as the answer of the batch so far would not be late. */
  adaptive: z.boolean(),
});
export type BatchingConfig = z.infer<typeof BatchingConfig>;
