import {
  type ClassResponse,
  type FinishReason,
  type InferRequest,
  type InferResponse,
  type LayerRaster,
  rankedClasses,
  type SpikeUse,
} from '../inference/contract/infer.ts';
import { engineCodeOf } from '../inference/contract/request-inputs.ts';
import type { VersionRecord } from '../registry/contract/model.ts';
import { invalid, Problem } from '../contract/refusal.ts';

/** Tokens of which a picture may be asked for: each spike of each is sent. */
const MAX_RASTER_TOKENS = 2_048;

/** @throws Problem validation_failed for a picture of too much */
export function checkRaster(prompt: number, { config }: Pick<InferRequest, 'config'>): void {
  const tokens = prompt + config.max_length;
  if (!config.raster || tokens <= MAX_RASTER_TOKENS) return;
  const detail = `a picture of ${tokens} tokens, prompt and max_length together: expected at most ${MAX_RASTER_TOKENS}`;
  throw invalid('/config/raster', 'too_big', detail);
}

/** Spike statistics, as the engine counts them. */
interface CountedUse {
  /** The rate below which spikes pay; null for a network of numbers, which has none to count. */
  readonly breakEvenRate: number | null;
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
  breakEvenRate,
  synapticOps,
  denseMacs,
  energy,
}: CountedUse = NO_SPIKES): SpikeUse {
  const counted = (figure: number) => (breakEvenRate === null ? null : figure);
  return {
    total: counted(total),
    rate: counted(rate),
    break_even_rate: breakEvenRate,
    synaptic_ops: counted(synapticOps),
    dense_macs: denseMacs,
    energy: {
      compute_pj: energy.computePj,
      dense_compute_pj: energy.denseComputePj,
      with_memory_pj: energy.withMemoryPj,
      dense_with_memory_pj: energy.denseWithMemoryPj,
    },
  };
}

/** Statistics of a cancelled text: none. */
const NO_SPIKES: CountedUse = {
  total: 0,
  rate: 0,
  breakEvenRate: null,
  synapticOps: 0,
  denseMacs: 0,
  energy: { computePj: 0, denseComputePj: 0, withMemoryPj: 0, denseWithMemoryPj: 0 },
};

/** When each neuron of a layer fired: a packed row for each time step of each token. */
interface RasterRows {
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

/** Facts of a finished inference. Times are those of performance.now. */
interface Ending {
  readonly id: string;
  readonly record: Pick<VersionRecord, 'model_id' | 'version' | 'manifest_digest'>;
  readonly reason: FinishReason;
  /** The requests that were read together with it, at most. */
  readonly batch: number;
  /** Undefined if not counted. */
  readonly use: CountedUse | undefined;
  /** When the request came, and when it asked the model. */
  readonly arrivedAt: number;
  readonly askedAt: number;
  /** When it began to be read; undefined where it never was. */
  readonly beganAt: number | undefined;
}

/** Facts of a finished text. */
interface Outcome extends Ending {
  readonly promptTokens: number;
  readonly text: string;
  /** Tokens that were written. */
  readonly completion: number;
  readonly seed: number;
  readonly raster: readonly RasterRows[] | undefined;
  /** Of a model that also classifies. */
  readonly classes?: Pick<Classified, 'probabilities' | 'labels'> | undefined;
}

/** The whole answer to a request, as of now. */
export function inferResponse(outcome: Outcome): InferResponse {
  const { text, completion, promptTokens, seed, raster, classes } = outcome;
  return {
    ...answeredOf(outcome, { promptTokens, completion }),
    outputs: {
      text,
      ...(classes && { classes: rankedClasses(classes.probabilities ?? [], classes.labels) }),
    },
    ...(raster && { raster: raster.map(layerRaster) }),
    seed,
  };
}

/** Facts of a finished classification. */
interface Classified extends Ending {
  /** By the number of the class; undefined where it was given up. */
  readonly probabilities: readonly number[] | undefined;
  readonly labels: readonly string[];
}

export function classResponse(classified: Classified): ClassResponse {
  const { probabilities = [], labels } = classified;
  return {
    ...answeredOf(classified, { promptTokens: 0, completion: 0 }),
    outputs: { classes: rankedClasses(probabilities, labels) },
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

/** The reason why files make no model, for the caller; `error` itself if the engine gave none. */
export function buildProblem(error: unknown, what: string): unknown {
  const code = engineCodeOf(error);
  if (code === undefined || !(error instanceof Error)) return error;
  const detail = `${what} cannot be built: ${error.message}.`;
  switch (code) {
    case 'checkpoint-damaged':
    case 'checkpoint-mismatch':
    case 'checkpoint-missing':
      return new Problem('digest_mismatch', detail);
    case 'invalid-equation':
    case 'invalid-structure':
      return new Problem('invalid_structure', detail);
    case 'out-of-memory':
      return new Problem('insufficient_vram', detail);
    default:
      return new Problem('upstream_error', detail);
  }
}
