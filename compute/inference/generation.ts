import type {
  FinishReason,
  InferAnswer,
  InferRequest,
} from '../../edge/inference/contract/infer.ts';
import { Problem } from '../../edge/http/problem.ts';
import { ulid } from '../../edge/http/ulid.ts';
import type { Written } from '../../engine/index.ts';
import type { Ended } from './engine-messages.ts';
import type { Held } from './cached-model.ts';
import { prepare, type Prepared } from './prepared-response.ts';
import type { Listener } from './scheduler.ts';
import type { ServedModel } from './served-model.ts';

/** An answer that is being made. */
export interface Generation {
  readonly id: string;
  /** The whole answer. @throws Problem upstream_timeout, upstream_error */
  readonly answer: Promise<InferAnswer>;
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

/**
 * Begins to answer, or to wait for a place. The model is released at the end.
 *
 * @throws Problem validation_failed for what the model cannot read, and rate_limited
 */
export function startGeneration(
  { model, release }: Held,
  request: InferRequest,
  options: GenerationOptions,
): Generation {
  try {
    const prepared = prepare(model, request, options.isStreamed);
    return new Answering(model, request, { ...options, release, prepared });
  } catch (error) {
    release();
    throw error;
  }
}

interface AnsweringOptions extends GenerationOptions, Pick<Held, 'release'> {
  readonly prepared: Prepared;
}

/** Progress of a generation, as the scheduler reports it. */
class Answering implements Generation, Listener {
  readonly id: string;
  readonly answer: Promise<InferAnswer>;
  readonly #settled = Promise.withResolvers<InferAnswer>();
  readonly #request: InferRequest;
  readonly #options: AnsweringOptions;
  readonly #giveUp: () => void;
  readonly #late: NodeJS.Timeout | undefined;
  readonly #askedAt = performance.now();
  #beganAt: number | undefined;
  #text = '';
  #completion = 0;
  #isOver = false;

  constructor({ scheduler }: ServedModel, request: InferRequest, options: AnsweringOptions) {
    const { id = `inf_${ulid()}`, priority, timeout_ms } = request;
    this.id = id;
    this.answer = this.#settled.promise;
    // Whoever hung up does not wait for it.
    this.answer.catch(() => {});
    this.#request = request;
    this.#options = options;
    const { work } = options.prepared;
    this.#giveUp = scheduler.submit({ work, priority, listener: this });
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

  #respond(reason: FinishReason, ended: Ended | undefined): InferAnswer {
    const { prepared, arrivedAt } = this.#options;
    return prepared.answer({
      id: this.id,
      reason,
      ended,
      text: this.#text,
      completion: this.#completion,
      arrivedAt,
      askedAt: this.#askedAt,
      beganAt: this.#beganAt,
    });
  }
}
