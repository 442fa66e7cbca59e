import * as z from 'zod/mini';
import { Alias } from '../alias.ts';
import { Digest } from '../digest.ts';
import { ModelId } from '../model.ts';
import { ProblemDocument } from '../problem.ts';
import { Version } from '../semver.ts';

const whole = (least: number, most: number) => z.int().check(z.gte(least), z.lte(most));

/** How text is written; `max_length` counts the tokens written, without the prompt. */
export const InferConfig = z.strictObject({
  max_length: z.prefault(whole(0, 100_000), 64),
  /** 0 always takes the likeliest. */
  temperature: z.prefault(z.number().check(z.gte(0), z.lte(100)), 0.8),
  /** Keeps only the k likeliest, 0 for all. */
  top_k: z.prefault(whole(0, 1_000_000), 0),
  /** Keeps the likeliest that reach this share. */
  top_p: z.prefault(z.number().check(z.gt(0), z.lte(1)), 1),
  /** The same seed writes the same text; drawn where it is left out. */
  seed: z.optional(whole(0, Number.MAX_SAFE_INTEGER)),
  /** Ends the text before the first of these. */
  stop: z.prefault(
    z.array(z.string().check(z.minLength(1), z.maxLength(64))).check(z.maxLength(8)),
    [],
  ),
  /** Also answers when each neuron of a layer fired, for a picture of the answer. */
  raster: z.prefault(z.boolean(), false),
});
export type InferConfig = z.output<typeof InferConfig>;

/** The body of `POST /infer` and `POST /v1/infer`. */
export const InferRequest = z
  .strictObject({
    /** A name of one's own for the answer; made up where it is left out. */
    id: z.optional(z.string().check(z.minLength(1), z.maxLength(128))),
    model_id: ModelId,
    version: z.optional(Version),
    alias: z.optional(Alias),
    /** By modality; a text model takes `text`. */
    inputs: z.strictObject({ text: z.string().check(z.maxLength(1_000_000)) }),
    config: z.prefault(InferConfig, {}),
    /** Answers as server-sent events, token by token. */
    stream: z.prefault(z.boolean(), false),
    /** Higher goes first. */
    priority: z.prefault(whole(0, 9), 5),
    timeout_ms: z.prefault(whole(1, 600_000), 60_000),
  })
  .check(
    z.refine(({ version, alias }) => version === undefined || alias === undefined, {
      error: 'expected version or alias, not both',
      path: ['alias'],
    }),
  );
export type InferRequestInput = z.input<typeof InferRequest>;
export type InferRequest = z.output<typeof InferRequest>;

export const FinishReason = z.enum(['stop', 'length', 'cancelled']);
export type FinishReason = z.infer<typeof FinishReason>;

export const Usage = z.object({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
});
export type Usage = z.infer<typeof Usage>;

export const Timing = z.object({
  queue_ms: z.number(),
  compute_ms: z.number(),
  total_ms: z.number(),
});
export type Timing = z.infer<typeof Timing>;

/**
 * Energy in three ways, never as one number: what was counted, a proxy of it (4.6 pJ a
 * multiply-accumulate, 0.9 pJ an accumulate, 45 nm), and the proxy with the memory traffic.
 */
export const SpikeUse = z.object({
  /** Spikes of all neurons. */
  total: z.int(),
  /** Spikes per neuron and time step. */
  rate: z.number(),
  /** Additions that spikes caused: each spike times its fan-out. */
  synaptic_ops: z.int(),
  /** What a dense network of the same size would multiply. */
  dense_macs: z.int(),
  energy: z.object({
    compute_pj: z.number(),
    dense_compute_pj: z.number(),
    with_memory_pj: z.number(),
    dense_with_memory_pj: z.number(),
  }),
});
export type SpikeUse = z.infer<typeof SpikeUse>;

/** Spikes of one layer: a row of neurons for each time step of each token. */
export const LayerRaster = z.object({
  layer: z.string(),
  neurons: z.int(),
  times: z.int(),
  /** Base64 of `ceil(neurons / 32)` little-endian words a time, least significant bit first. */
  bits: z.string(),
});
export type LayerRaster = z.infer<typeof LayerRaster>;

export const InferResponse = z.object({
  id: z.string(),
  model_id: z.string(),
  model_version: Version,
  model_digest: Digest,
  outputs: z.object({ text: z.string() }),
  usage: Usage,
  finish_reason: FinishReason,
  timing: Timing,
  /** The sequences that were read together with this one, at most. */
  batch: z.object({ size: z.int() }),
  spikes: SpikeUse,
  raster: z.optional(z.array(LayerRaster)),
  seed: z.int(),
});
export type InferResponse = z.infer<typeof InferResponse>;

/** `data:` of the streaming form, one for each piece; then the whole as `event: done`, and `[DONE]`. */
export const InferChunk = z.object({
  id: z.string(),
  index: z.int(),
  delta: z.string(),
  finish_reason: z.nullable(FinishReason),
});
export type InferChunk = z.infer<typeof InferChunk>;

export const MAX_BATCH_REQUESTS = 64;

export const BatchRequest = z.strictObject({
  id: z.optional(z.string().check(z.minLength(1), z.maxLength(128))),
  requests: z.array(InferRequest).check(z.minLength(1), z.maxLength(MAX_BATCH_REQUESTS)),
  /** Gives up on the rest at the first failure. */
  fail_fast: z.prefault(z.boolean(), false),
});
export type BatchRequest = z.output<typeof BatchRequest>;

export const BatchResponse = z.object({
  id: z.string(),
  results: z.array(
    z.object({
      index: z.int(),
      status: z.int(),
      response: z.optional(InferResponse),
      error: z.optional(ProblemDocument),
    }),
  ),
  succeeded: z.int(),
  failed: z.int(),
});
export type BatchResponse = z.infer<typeof BatchResponse>;
