import { randomInt } from 'node:crypto';
import type {
  FinishReason,
  InferRequest,
  InferResponse,
  LayerRaster,
} from '../../edge/contract/inference/infer.ts';
import { Problem } from '../../edge/http/problem.ts';
import { ulid } from '../../edge/http/ulid.ts';
import { EngineError } from '../../engine/index.ts';
import type { Ended, RasterRows } from './engine-messages.ts';
import type { Held } from './model-cache.ts';
import type { Listener } from './scheduler.ts';
import type { ServedModel } from './served-model.ts';

/** A text that is being written. */
export interface Generation {
  readonly id: string;
  /** The whole answer. @throws Problem upstream_timeout, upstream_error */
  readonly answer: Promise<InferResponse>;
  /** Gives its place to others; the answer is what there is, with `cancelled`. */
  cancel(): void;
}

export interface GenerationOptions {
  readonly isStreamed: boolean;
  /** Called with each piece of the text, where it is streamed. */
  readonly onText?: (text: string) => void;
  /** When the request came (performance.now): its model may have been loaded since. */
  readonly arrivedAt: number;
  /** Whether a request that is late is refused. */
  readonly refusesLate: boolean;
}

/** Tokens of which a picture may be asked for: each spike of each is sent. */
const MAX_RASTER_TOKENS = 2_048;
const SEEDS = 2 ** 32;

/**
 * Begins to write, or to wait for a place. The model is released at the end.
 *
 * @throws Problem validation_failed for a character the model does not know, and rate_limited
 */
export function startGeneration(
  { model, release }: Held,
  request: InferRequest,
  options: GenerationOptions,
): Generation {
  try {
    const prompt = encodePrompt(model, request.inputs.text);
    checkRaster(prompt.length, request);
    return new Writer(model, request, { ...options, release, prompt });
  } catch (error) {
    release();
    throw error;
  }
}

interface WriterOptions extends GenerationOptions, Pick<Held, 'release'> {
  readonly prompt: Uint32Array;
}

/** What has come of a text so far, as the scheduler tells it. */
class Writer implements Generation, Listener {
  readonly id: string;
  readonly answer: Promise<InferResponse>;
  readonly #settled = Promise.withResolvers<InferResponse>();
  readonly #model: ServedModel;
  readonly #request: InferRequest;
  readonly #options: WriterOptions;
  readonly #seed: number;
  readonly #giveUp: () => void;
  readonly #late: NodeJS.Timeout | undefined;
  readonly #askedAt = performance.now();
  #beganAt: number | undefined;
  #text = '';
  #completion = 0;
  #isOver = false;

  constructor(model: ServedModel, request: InferRequest, options: WriterOptions) {
    const { id = `inf_${ulid()}`, config, priority, timeout_ms } = request;
    const { temperature, top_k: topK, top_p: topP, max_length: most } = config;
    this.id = id;
    this.answer = this.#settled.promise;
    // Whoever hung up does not wait for it.
    this.answer.catch(() => {});
    this.#model = model;
    this.#request = request;
    this.#options = options;
    this.#seed = config.seed ?? randomInt(SEEDS);
    this.#giveUp = model.scheduler.submit({
      sequence: {
        prompt: options.prompt,
        most,
        sampling: { temperature, topK, topP, seed: this.#seed },
        stops: encodeStops(model, config.stop),
        isStreamed: options.isStreamed,
        hasRaster: config.raster,
      },
      priority,
      listener: this,
    });
    if (options.refusesLate) this.#late = setTimeout(() => this.#refuseLate(), timeout_ms);
  }

  began(): void {
    this.#beganAt = performance.now();
  }

  wrote(tokens: readonly number[]): void {
    const piece = this.#model.tokenizer.decode(tokens);
    this.#text += piece;
    this.#completion += tokens.length;
    this.#options.onText?.(piece);
  }

  ended(ended: Ended): void {
    this.#end(() => this.#settled.resolve(this.#respond(ended.reason, ended)));
  }

  failed(problem: Problem): void {
    this.#end(() => this.#settled.reject(problem));
  }

  cancel(): void {
    this.#giveUp();
    this.#end(() => this.#settled.resolve(this.#respond('cancelled', undefined)));
  }

  #refuseLate(): void {
    this.#giveUp();
    const detail = `The answer was not complete after ${this.#request.timeout_ms} ms.`;
    this.failed(new Problem('upstream_timeout', detail));
  }

  #end(settle: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#late);
    this.#options.release();
    settle();
  }

  #respond(reason: FinishReason, ended: Ended | undefined): InferResponse {
    const now = performance.now();
    const beganAt = this.#beganAt ?? now;
    const prompt = [...this.#request.inputs.text].length;
    return {
      id: this.id,
      ...identityOf(this.#model),
      outputs: { text: this.#text },
      usage: {
        prompt_tokens: prompt,
        completion_tokens: this.#completion,
        total_tokens: prompt + this.#completion,
      },
      finish_reason: reason,
      timing: {
        queue_ms: beganAt - this.#askedAt,
        compute_ms: now - beganAt,
        total_ms: now - this.#options.arrivedAt,
      },
      batch: { size: ended?.batch ?? 0 },
      spikes: spikesOf(ended),
      ...(ended?.raster && { raster: ended.raster.map(layerRaster) }),
      seed: this.#seed,
    };
  }
}

function identityOf({ record }: ServedModel) {
  const { model_id, version, manifest_digest } = record;
  return {
    model_id,
    model_version: version,
    // A version with files has one, and one without cannot be loaded.
    model_digest: manifest_digest ?? '',
  };
}

function encodePrompt({ tokenizer, key }: ServedModel, text: string): Uint32Array {
  try {
    const first = tokenizer.characters.includes('\n') ? '\n' : (tokenizer.characters[0] ?? '');
    return tokenizer.encode(text === '' ? first : text);
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'unknown-character') throw error;
    const detail = `${error.message} (${key})`;
    throw new Problem('validation_failed', `/inputs/text: ${detail}`, {
      errors: [{ pointer: '/inputs/text', code: 'unknown_character', detail }],
    });
  }
}

/** What holds a character that the model does not know never comes. */
function encodeStops({ tokenizer }: ServedModel, stops: readonly string[]): Uint32Array[] {
  return stops.flatMap((stop) => {
    const ids = Array.from(stop, (character) => tokenizer.idOf(character.codePointAt(0) ?? 0));
    const known = ids.filter((id) => id !== undefined);
    return known.length === ids.length ? [Uint32Array.from(known)] : [];
  });
}

function checkRaster(prompt: number, { config }: InferRequest): void {
  const tokens = prompt + config.max_length;
  if (!config.raster || tokens <= MAX_RASTER_TOKENS) return;
  const detail = `a picture of ${tokens} tokens, prompt and max_length together: expected at most ${MAX_RASTER_TOKENS}`;
  throw new Problem('validation_failed', `/config/raster: ${detail}`, {
    errors: [{ pointer: '/config/raster', code: 'too_big', detail }],
  });
}

function spikesOf(ended: Ended | undefined): InferResponse['spikes'] {
  const { total, rate, synapticOps, denseMacs, energy } = ended?.spikes ?? NO_SPIKES;
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
const NO_SPIKES: Ended['spikes'] = {
  total: 0,
  rate: 0,
  synapticOps: 0,
  denseMacs: 0,
  energy: { computePj: 0, denseComputePj: 0, withMemoryPj: 0, denseWithMemoryPj: 0 },
};

function layerRaster({ layer, neurons, rows }: RasterRows): LayerRaster {
  const bytes = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength);
  return {
    layer,
    neurons,
    times: rows.length / Math.ceil(neurons / 32),
    bits: bytes.toString('base64'),
  };
}
