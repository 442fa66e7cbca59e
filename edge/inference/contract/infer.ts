import * as z from 'zod/mini';
import { Alias } from '../../registry/contract/alias.ts';
import { Digest } from '../../contract/digest.ts';
import { ModelId } from '../../registry/contract/model.ts';
import { ProblemDocument } from '../../contract/problem.ts';
import { Version } from '../../contract/semver.ts';
import { atLeastOne, notTogether, says } from '../../contract/schema-rules.ts';

const whole = (least: number, most: number) => z.int().check(z.gte(least), z.lte(most));

/** Sampling options; `max_length` counts the generated tokens, without the prompt. */
export const InferConfig = z.strictObject({
  max_length: z.prefault(whole(0, 100_000), 64),
  /** 0 always takes the most likely token. */
  temperature: z.prefault(z.number().check(z.gte(0), z.lte(100)), 0.8),
  /** Keeps only the k likeliest, 0 for all. */
  top_k: z.prefault(whole(0, 1_000_000), 0),
  /** Samples among the most likely tokens whose probabilities add up to this fraction. */
  top_p: z.prefault(z.number().check(z.gt(0), z.lte(1)), 1),
  /** The same seed writes the same text; drawn where it is left out. */
  seed: z.optional(whole(0, Number.MAX_SAFE_INTEGER)),
  /** Ends the text before the first of these. */
  stop: z.prefault(
    z.array(z.string().check(z.minLength(1), z.maxLength(64))).check(z.maxLength(8)),
    [],
  ),
  /** Adds a raster of when each neuron of a layer fired. */
  raster: z.prefault(z.boolean(), false),
});
export type InferConfig = z.output<typeof InferConfig>;

/** Maximum base64 characters of an image or audio clip: those of 12 MiB. */
const MAX_MEDIA = 16 * 1024 * 1024;
const media = z.optional(z.string().check(z.maxLength(MAX_MEDIA)));

/**
 * Inputs by modality: a text model takes `text`, classifiers an `image` or `audio`, and captioning and
 * streaming models several of them; `text` is then the beginning of the output.
 */
export const InferInputs = z
  .strictObject({
    text: z.optional(z.string().check(z.maxLength(1_000_000))),
    /** A PNG file in base64. */
    image: media,
    /** A WAV file in base64. */
    audio: media,
  })
  .check(
    says(
      atLeastOne('text', 'image', 'audio'),
      z.refine((inputs) => Object.values(inputs).some((input) => input !== undefined), {
        error: 'expected text, image or audio',
      }),
    ),
  );
export type InferInputs = z.output<typeof InferInputs>;

/** The body of `POST /infer` and `POST /v1/infer`. */
export const InferRequest = z
  .strictObject({
    /** A name of one's own for the answer; made up where it is left out. */
    id: z.optional(z.string().check(z.minLength(1), z.maxLength(128))),
    model_id: ModelId,
    version: z.optional(Version),
    alias: z.optional(Alias),
    inputs: InferInputs,
    config: z.prefault(InferConfig, {}),
    /** Answers as server-sent events, token by token. */
    stream: z.prefault(z.boolean(), false),
    /** Higher runs first. */
    priority: z.prefault(whole(0, 9), 5),
    timeout_ms: z.prefault(whole(1, 600_000), 60_000),
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
  /** Spikes of all neurons; null, as all that follows from spikes, where no neuron fires. */
  total: z.nullable(z.int()),
  /** Spikes per neuron and time step. */
  rate: z.nullable(z.number()),
  /** Below this rate spikes cost less than products once memory counts, for the time steps of this model. */
  break_even_rate: z.nullable(z.number()),
  /** Additions that spikes caused: each spike times its fan-out. */
  synaptic_ops: z.nullable(z.int()),
  /** The multiplications of a dense network of the same size. */
  dense_macs: z.int(),
  energy: z.object({
    compute_pj: z.number(),
    dense_compute_pj: z.number(),
    with_memory_pj: z.number(),
    dense_with_memory_pj: z.number(),
  }),
});
export type SpikeUse = z.infer<typeof SpikeUse>;

/** Spikes of one layer: one row of neurons per time step of each token. */
export const LayerRaster = z.object({
  layer: z.string(),
  neurons: z.int(),
  times: z.int(),
  /** Base64 of `ceil(neurons / 32)` little-endian words per time step, least significant bit first. */
  bits: z.string(),
});
export type LayerRaster = z.infer<typeof LayerRaster>;

const answered = {
  id: z.string(),
  model_id: z.string(),
  model_version: Version,
  model_digest: Digest,
  usage: Usage,
  finish_reason: FinishReason,
  timing: Timing,
  /** The largest batch that included this request. */
  batch: z.object({ size: z.int() }),
  spikes: SpikeUse,
} as const;

/** All classes, the most likely first; empty where the request was cancelled. */
const Classes = z.array(z.object({ label: z.string(), probability: z.number() }));

/** A text that was written, and, by a model of streams that knows classes, those of what it read. */
export const InferResponse = z.object({
  ...answered,
  outputs: z.object({ text: z.string(), classes: z.optional(Classes) }),
  raster: z.optional(z.array(LayerRaster)),
  seed: z.int(),
});
export type InferResponse = z.infer<typeof InferResponse>;

/** The predicted classes of an image or audio clip. */
export const ClassResponse = z.object({
  ...answered,
  outputs: z.object({ classes: Classes }),
});
export type ClassResponse = z.infer<typeof ClassResponse>;

/** The answer of a model, by what it reads. */
export const InferAnswer = z.union([InferResponse, ClassResponse]);
export type InferAnswer = z.infer<typeof InferAnswer>;

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
      response: z.optional(InferAnswer),
      error: z.optional(ProblemDocument),
    }),
  ),
  succeeded: z.int(),
  failed: z.int(),
});
export type BatchResponse = z.infer<typeof BatchResponse>;

/** All classes with their names, the likeliest first; `probabilities` are by the number of the class. */
export const rankedClasses = (
  probabilities: readonly number[],
  labels: readonly string[],
): ClassResponse['outputs']['classes'] =>
  probabilities
    .map((probability, label) => ({ label: labels[label] ?? `${label}`, probability }))
    .toSorted((a, b) => b.probability - a.probability);
