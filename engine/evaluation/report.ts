import * as z from 'zod/mini';
import { parseJson } from '../data/files/json.ts';
import { EngineError } from '../errors.ts';

/*
 * The results of an evaluation, as stored and compared: one form for every family. A section that a
 * family does not have is left out.
 */

const count = z.int().check(z.nonnegative());
const share = z.number().check(z.minimum(0), z.maximum(1));
const amount = z.number().check(z.minimum(0));

/** Unit of the counts: speed, spikes and energy are given per unit. */
const UNITS = ['token', 'image', 'sound', 'caption'] as const;
export type Unit = (typeof UNITS)[number];

/** The bounds between which the true value lies with a probability of 95 %. */
const Interval = z.object({ value: z.number(), low: z.number(), high: z.number() });

const Calibration = z.object({
  count,
  expected_error: share,
  maximum_error: share,
  brier_score: amount,
  /** Of equal width from 0 to 1; null where nothing fell into one. */
  bins: z.array(z.object({ count, confidence: z.nullable(share), accuracy: z.nullable(share) })),
});
export type CalibrationSection = z.infer<typeof Calibration>;

const Language = z.object({
  /** A stream carries its state from end to end; windows begin without context, as validation does. */
  form: z.enum(['stream', 'windows']),
  /** Parts of the text that are read at the same time, or windows of a batch. */
  rows: count,
  /** Tokens of a window; null for a stream. */
  window: z.nullable(count),
  tokens: count,
  characters: count,
  bytes: count,
  nats_per_token: amount,
  perplexity: amount,
  nats_per_character: amount,
  bits_per_character: amount,
  nats_per_byte: amount,
  bits_per_byte: amount,
  /** Of nats per character, over pieces of consecutive tokens. */
  interval: Interval,
  pieces: count,
  /** Fraction of tokens that were the likeliest. */
  accuracy: share,
  /** Of the likeliest token. */
  calibration: Calibration,
  /** Along the text for a stream; by tokens of context for windows, counted from 1. */
  positions: z.array(
    z.object({ first: count, last: count, tokens: count, nats_per_token: amount }),
  ),
});
export type LanguageSection = z.infer<typeof Language>;

const Classification = z.object({
  count,
  accuracy: share,
  interval: Interval,
  balanced_accuracy: share,
  macro_f1: share,
  labels: z.array(z.string()),
  /** `[truth][answer]` */
  matrix: z.array(z.array(count)),
  classes: z.array(
    z.object({
      support: count,
      precision: z.nullable(share),
      recall: z.nullable(share),
      f1: z.nullable(share),
    }),
  ),
  calibration: Calibration,
});
export type ClassificationSection = z.infer<typeof Classification>;

const Ranks = z.object({
  /** Fraction of queries whose target is among the first k, by k. */
  recall_at: z.record(z.string(), share),
  mean_reciprocal_rank: share,
  median_rank: amount,
});
export type RanksSection = z.infer<typeof Ranks>;

const Retrieval = z.object({
  pairs: count,
  /** A caption asks for its image, and the other way round. */
  pictures: Ranks,
  captions: Ranks,
  /** Nats per token of captions beside their own image, and beside all others. */
  matched_nats: amount,
  shuffled_nats: amount,
  /** Nats per token that the right image saves, over captions. */
  gain: Interval,
});
export type RetrievalSection = z.infer<typeof Retrieval>;

/** Of tokens of several modalities, each figure beside that of token frequencies in the training part. */
const streamCosts = { tokens: count, nats_per_token: amount, unigram_nats_per_token: amount };

const Streams = z.object({
  ...streamCosts,
  /** By modality, with frequencies within it. */
  parts: z.array(z.object({ modality: z.string(), ...streamCosts })),
  /** Fraction of streams whose class was known at their end, and of those of the commonest class. */
  class_accuracy: share,
  class_majority: share,
});
export type StreamsSection = z.infer<typeof Streams>;

const Spikes = z.object({
  total: count,
  per_unit: amount,
  /** Spikes per neuron and time step. */
  rate: share,
  neurons: count,
  time_steps: count,
  /** Frames of a unit that share its time steps; one by default. */
  frames: z.optional(count),
  synaptic_ops_per_unit: amount,
  dense_macs_per_unit: amount,
  layers: z.array(z.object({ name: z.string(), neurons: count, spikes: count, rate: share })),
});
export type SpikesSection = z.infer<typeof Spikes>;

/** Picojoules a unit in three ways, never as one number: the count stands first, the others are proxies. */
const Energy = z.object({
  synaptic_ops: amount,
  /** Products of a network of numbers; left out where neurons fire, as `spikes` tells theirs. */
  macs: z.optional(amount),
  compute_pj: amount,
  dense_compute_pj: amount,
  with_memory_pj: amount,
  dense_with_memory_pj: amount,
  /** The firing rate below which spikes cost less than products once memory counts; null where none fires. */
  break_even_rate: z.nullable(amount),
});
export type EnergySection = z.infer<typeof Energy>;

const Speed = z.object({ seconds: amount, units_per_second: amount });

/** In bytes. */
const Memory = z.object({
  parameters: count,
  /** The arena of the largest program, the device's peak beside what lasts. */
  arena: count,
  /** Persistent memory besides the parameters: inputs, results, carried state. */
  lasting: count,
  /** The most that the process ever held; null where nobody can tell, as in a browser. */
  process_peak: z.nullable(count),
});
export type MemorySection = z.infer<typeof Memory>;

/** The parts of a data set that can be asked for. */
export const SPLITS = ['validation', 'train', 'all'] as const;
export type SplitName = (typeof SPLITS)[number];

const Data = z.object({
  name: z.string(),
  sha256: z.string(),
  split: z.enum(SPLITS),
  /**
   * The range that was evaluated of `length` tokens or examples: from `first` up to, not including, `end`. Of examples
   * that name their own split, `end - first` is their number.
   */
  first: count,
  end: count,
  length: count,
  /**
   * Characters of the whole text that the model's tokenizer lacks. They were left out: the model reads on as if
   * they were not there, and no figure counts them. Left out where there are none.
   */
  unknown_characters: z.optional(count),
});
export type DataSection = z.infer<typeof Data>;

const Model = z.object({
  /** As it was asked for. */
  name: z.string(),
  architecture: z.string(),
  parameters: count,
  /** Of model.safetensors. */
  artifact_sha256: z.string(),
  spec: z.record(z.string(), z.unknown()),
});
export const EvaluationReport = z.object({
  evaluation_report_version: z.literal(1),
  created_at: z.string(),
  /** A partial one was interrupted: its figures are those of the first `done` of `total` units. */
  status: z.enum(['complete', 'partial']),
  unit: z.enum(UNITS),
  done: count,
  total: count,
  device: z.string(),
  model: Model,
  data: Data,
  language: z.optional(Language),
  classification: z.optional(Classification),
  retrieval: z.optional(Retrieval),
  streams: z.optional(Streams),
  /** Left out where no neuron fires. */
  spikes: z.optional(Spikes),
  energy: z.optional(Energy),
  speed: Speed,
  memory: Memory,
});
export type EvaluationReport = z.infer<typeof EvaluationReport>;

/** Reads a stored report. Throws EngineError `report-invalid` that names the file and the field. */
export function parseReport(name: string, text: string): EvaluationReport {
  const result = z.safeParse(EvaluationReport, jsonOf(name, text));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue?.path.join('.') || 'the whole';
  throw invalid(`${name} is no evaluation report: ${where}: ${issue?.message ?? 'invalid'}`);
}

function jsonOf(name: string, text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw invalid(`${name} is no evaluation report: it is not JSON`);
  }
}

function invalid(message: string): EngineError {
  return new EngineError('report-invalid', message);
}
