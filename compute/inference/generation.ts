import { randomInt } from 'node:crypto';
import type {
  FinishReason,
  InferRequest,
  InferResponse,
} from '../../edge/contract/inference/infer.ts';
import {
  checkRaster,
  encodePrompt,
  encodeStops,
  inferResponse,
  promptTokensOf,
} from '../../edge/http/infer-answer.ts';
import { Problem } from '../../edge/http/problem.ts';
import { ulid } from '../../edge/http/ulid.ts';
import type { Written } from '../../engine/index.ts';
import type { Ended } from './engine-messages.ts';
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
    const prompt = encodePrompt(model.tokenizer, request.inputs.text, model.key);
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
        stops: encodeStops(config.stop),
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

  wrote({ text, tokens }: Written): void {
    this.#text += text;
    this.#completion += tokens;
    if (text !== '') this.#options.onText?.(text);
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
    return inferResponse({
      id: this.id,
      record: this.#model.record,
      promptTokens: promptTokensOf(this.#request, this.#options.prompt),
      text: this.#text,
      completion: this.#completion,
      reason,
      seed: this.#seed,
      batch: ended?.batch ?? 0,
      use: ended?.spikes,
      raster: ended?.raster,
      arrivedAt: this.#options.arrivedAt,
      askedAt: this.#askedAt,
      beganAt: this.#beganAt,
    });
  }
}
