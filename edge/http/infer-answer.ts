import type {
  ClassResponse,
  FinishReason,
  InferInputs,
  InferRequest,
  InferResponse,
  LayerRaster,
  SpikeUse,
} from '../contract/inference/infer.ts';
import type { VersionRecord } from '../contract/model.ts';
import { Problem } from '../contract/refusal.ts';

/** What a model's tokenizer is asked for; the engine's own has more. */
export interface Tokenizer {
  /** What an empty prompt reads. */
  readonly start: number;
  encode(text: string): Uint32Array;
}

/** Tokens of which a picture may be asked for: each spike of each is sent. */
const MAX_RASTER_TOKENS = 2_048;

/** Why a tokenizer refuses a text, as the engine says it and as the answer does. */
const UNREADABLE: Readonly<Record<string, string>> = {
  'unknown-character': 'unknown_character',
  'text-invalid': 'invalid_text',
};

/** The text of a request to a model that reads nothing else. @throws Problem validation_failed */
export function textOf(inputs: InferInputs, model: string): string {
  const { text } = inputs;
  const strange = Object.keys(inputs).filter((name) => name !== 'text');
  if (text !== undefined && strange.length === 0) return text;
  const detail = `${model} reads text: expected inputs.text alone (got ${Object.keys(inputs).join(', ')})`;
  throw invalid('/inputs', 'invalid_value', detail);
}

/** The tokens of a prompt; an empty one starts as after a line break. @throws Problem validation_failed */
export function encodePrompt(
  tokenizer: Tokenizer,
  inputs: InferInputs,
  model: string,
): Uint32Array {
  const text = textOf(inputs, model);
  try {
    return text === '' ? Uint32Array.of(tokenizer.start) : tokenizer.encode(text);
  } catch (error) {
    const code = UNREADABLE[codeOf(error) ?? ''];
    if (code === undefined) throw error;
    const reason = error instanceof Error ? error.message : '';
    throw invalid('/inputs/text', code, `${reason} (${model})`);
  }
}

/** The tokens of a prompt that were asked for: of an empty one, none. */
export function promptTokensOf({ inputs }: Pick<InferRequest, 'inputs'>, prompt: Uint32Array) {
  return (inputs.text ?? '') === '' ? 0 : prompt.length;
}

/** The stop sequences in UTF-8: what a token is made of tells whether one has come. */
export function encodeStops(stops: readonly string[]): Uint8Array[] {
  const utf8 = new TextEncoder();
  return stops.map((stop) => utf8.encode(stop));
}

/** @throws Problem validation_failed for a picture of too much */
export function checkRaster(prompt: number, { config }: Pick<InferRequest, 'config'>): void {
  const tokens = prompt + config.max_length;
  if (!config.raster || tokens <= MAX_RASTER_TOKENS) return;
  const detail = `a picture of ${tokens} tokens, prompt and max_length together: expected at most ${MAX_RASTER_TOKENS}`;
  throw invalid('/config/raster', 'too_big', detail);
}

/** A refusal that names one place of the body. */
export function invalid(pointer: string, code: string, detail: string): Problem {
  return new Problem('validation_failed', `${pointer}: ${detail}`, {
    errors: [{ pointer, code, detail }],
  });
}

/** What spikes did, as the engine counts it. */
export interface CountedUse {
  readonly total: number;
  readonly rate: number;
  readonly synapticOps: number;
  readonly denseMacs: number;
  readonly energy: {
    readonly computePj: number;
    readonly denseComputePj: number;
    readonly withMemoryPj: number;
    readonly denseWithMemoryPj: number;
  };
}

function spikesOf({
  total,
  rate,
  synapticOps,
  denseMacs,
  energy,
}: CountedUse = NO_SPIKES): SpikeUse {
  return {
    total,
    rate,
    synaptic_ops: synapticOps,
    dense_macs: denseMacs,
    energy: {
      compute_pj: energy.computePj,
      dense_compute_pj: energy.denseComputePj,
      with_memory_pj: energy.withMemoryPj,
      dense_with_memory_pj: energy.denseWithMemoryPj,
    },
  };
}

/** Of a text that was called off, nobody counted. */
const NO_SPIKES: CountedUse = {
  total: 0,
  rate: 0,
  synapticOps: 0,
  denseMacs: 0,
  energy: { computePj: 0, denseComputePj: 0, withMemoryPj: 0, denseWithMemoryPj: 0 },
};

/** When each neuron of a layer fired: a packed row for each time step of each token. */
export interface RasterRows {
  readonly layer: string;
  readonly neurons: number;
  readonly rows: Uint32Array;
}

function layerRaster({ layer, neurons, rows }: RasterRows): LayerRaster {
  const bytes = new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength);
  return { layer, neurons, times: rows.length / Math.ceil(neurons / 32), bits: base64Of(bytes) };
}

/** A call takes no more arguments than fit on the stack. */
const CHUNK_BYTES = 8_192;

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    // A spread would go through the bytes one by one, ten times slower.
    text += Reflect.apply(String.fromCharCode, null, bytes.subarray(start, start + CHUNK_BYTES));
  }
  return btoa(text);
}

/** What is known of any answer at its end. Times are those of performance.now. */
interface Ending {
  readonly id: string;
  readonly record: Pick<VersionRecord, 'model_id' | 'version' | 'manifest_digest'>;
  readonly reason: FinishReason;
  /** The requests that were read together with it, at most. */
  readonly batch: number;
  /** Undefined where nobody counted. */
  readonly use: CountedUse | undefined;
  /** When the request came, and when it asked the model. */
  readonly arrivedAt: number;
  readonly askedAt: number;
  /** When it began to be read; undefined where it never was. */
  readonly beganAt: number | undefined;
}

/** What is known of a text at its end. */
export interface Outcome extends Ending {
  readonly promptTokens: number;
  readonly text: string;
  /** Tokens that were written. */
  readonly completion: number;
  readonly seed: number;
  readonly raster: readonly RasterRows[] | undefined;
}

/** The whole answer to a request, as of now. */
export function inferResponse(outcome: Outcome): InferResponse {
  const { text, completion, promptTokens, seed, raster } = outcome;
  return {
    ...answeredOf(outcome, { promptTokens, completion }),
    outputs: { text },
    ...(raster && { raster: raster.map(layerRaster) }),
    seed,
  };
}

/** What is known of a picture or a sound at its end. */
export interface Classified extends Ending {
  /** By the number of the class; undefined where it was given up. */
  readonly probabilities: readonly number[] | undefined;
  readonly labels: readonly string[];
}

export function classResponse(classified: Classified): ClassResponse {
  const { probabilities = [], labels } = classified;
  const classes = probabilities.map((probability, label) => ({
    label: labels[label] ?? `${label}`,
    probability,
  }));
  return {
    ...answeredOf(classified, { promptTokens: 0, completion: 0 }),
    outputs: { classes: classes.toSorted((a, b) => b.probability - a.probability) },
  };
}

function answeredOf(
  { id, record, reason, batch, use, ...times }: Ending,
  { promptTokens, completion }: Pick<Outcome, 'promptTokens' | 'completion'>,
): Omit<ClassResponse, 'outputs'> {
  const now = performance.now();
  const { arrivedAt, askedAt, beganAt = now } = times;
  return {
    id,
    model_id: record.model_id,
    model_version: record.version,
    // A version with files has one, and one without cannot be loaded.
    model_digest: record.manifest_digest ?? '',
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completion,
      total_tokens: promptTokens + completion,
    },
    finish_reason: reason,
    timing: {
      queue_ms: beganAt - askedAt,
      compute_ms: now - beganAt,
      total_ms: now - arrivedAt,
    },
    batch: { size: batch },
    spikes: spikesOf(use),
  };
}

/** Why files make no model, for whoever asked for it; `error` as it is where the engine did not say. */
export function buildProblem(error: unknown, what: string): unknown {
  const code = codeOf(error);
  if (code === undefined || !(error instanceof Error)) return error;
  const detail = `${what} cannot be built: ${error.message}.`;
  switch (code) {
    case 'checkpoint-damaged':
    case 'checkpoint-mismatch':
    case 'checkpoint-missing':
      return new Problem('digest_mismatch', detail);
    case 'invalid-structure':
      return new Problem('invalid_structure', detail);
    case 'out-of-memory':
      return new Problem('insufficient_vram', detail);
    default:
      return new Problem('upstream_error', detail);
  }
}

/** The code of an EngineError; undefined of any other. This folder does not know the engine. */
const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && error.name === 'EngineError' && 'code' in error
    ? String(error.code)
    : undefined;
