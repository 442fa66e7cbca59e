import { randomInt } from 'node:crypto';
import { mediaFrom } from '../../brain/media-input.ts';
import type {
  FinishReason,
  InferAnswer,
  InferRequest,
} from '../../edge/contract/inference/infer.ts';
import {
  encodePrompt,
  encodeStops,
  promptTokensOf,
} from '../../edge/contract/inference/text-prompt.ts';
import { invalid } from '../../edge/contract/refusal.ts';
import { checkRaster, classResponse, inferResponse } from '../../edge/http/infer-answer.ts';
import type { Ended, Work } from './engine-messages.ts';
import type { ServedModel } from './served-model.ts';

/** What became of a request. Times are those of performance.now. */
export interface Course {
  readonly id: string;
  readonly reason: FinishReason;
  /** Undefined where it was given up. */
  readonly ended: Ended | undefined;
  readonly text: string;
  /** Tokens that were written. */
  readonly completion: number;
  readonly arrivedAt: number;
  readonly askedAt: number;
  readonly beganAt: number | undefined;
}

/** A request that fits its model. */
export interface Prepared {
  readonly work: Work;
  answer(course: Course): InferAnswer;
}

const SEEDS = 2 ** 32;

/**
 * What an engine is to do for a request, and the answer that comes of it.
 *
 * @throws Problem validation_failed for what the model cannot read
 */
export function prepare(model: ServedModel, request: InferRequest, isStreamed: boolean): Prepared {
  return model.reads.kind === 'text'
    ? prepareText(model, model.reads, request, isStreamed)
    : prepareMedia(model, model.reads, request, isStreamed);
}

type Reads<Kind> = Extract<ServedModel['reads'], { readonly kind: Kind }>;

function prepareText(
  { key, record }: ServedModel,
  { tokenizer }: Reads<'text'>,
  request: InferRequest,
  isStreamed: boolean,
): Prepared {
  const { config, inputs } = request;
  const { temperature, top_k: topK, top_p: topP, max_length: most, raster } = config;
  const prompt = encodePrompt(tokenizer, inputs, key);
  checkRaster(prompt.length, request);
  const seed = config.seed ?? randomInt(SEEDS);
  return {
    work: {
      prompt,
      most,
      sampling: { temperature, topK, topP, seed },
      stops: encodeStops(config.stop),
      isStreamed,
      hasRaster: raster,
    },
    answer: ({ ended, ...course }) =>
      inferResponse({
        ...course,
        record,
        promptTokens: promptTokensOf(request, prompt),
        seed,
        batch: ended?.batch ?? 0,
        use: ended?.spikes,
        raster: ended?.raster,
      }),
  };
}

function prepareMedia(
  { key, record }: ServedModel,
  { spec, labels }: Reads<'class'>,
  { inputs }: InferRequest,
  isStreamed: boolean,
): Prepared {
  const media = mediaFrom(inputs, spec, key);
  if (isStreamed) {
    const detail = `${key} answers as a whole: expected false (got true)`;
    throw invalid('/stream', 'invalid_value', detail);
  }
  return {
    work: { media },
    answer: ({ ended, ...course }) =>
      classResponse({
        ...course,
        record,
        labels,
        probabilities: ended?.probabilities,
        batch: ended?.batch ?? 0,
        use: ended?.spikes,
      }),
  };
}
