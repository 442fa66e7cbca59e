import { randomInt } from 'node:crypto';
import { mediaFrom, textRequestOf } from '../../brain/model-request.ts';
import type {
  FinishReason,
  InferAnswer,
  InferRequest,
} from '../../edge/inference/contract/infer.ts';
import { checkRaster, classResponse, inferResponse } from '../../edge/http/infer-response.ts';
import type { Ended, Work } from './engine-messages.ts';
import type { ServedModel } from './served-model.ts';

/** Outcome of a request. Times are those of performance.now. */
interface Course {
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
 * Work of an engine for a request, and the response made from its result.
 *
 * @throws Problem validation_failed for what the model cannot read
 */
export function prepare(model: ServedModel, request: InferRequest, isStreamed: boolean): Prepared {
  return model.reads.kind === 'text'
    ? prepareText(model, model.reads, request, isStreamed)
    : prepareMedia(model, model.reads, request);
}

type Reads<Kind> = Extract<ServedModel['reads'], { readonly kind: Kind }>;

function prepareText(
  { key, record }: ServedModel,
  { spec, tokenizer, labels }: Reads<'text'>,
  request: InferRequest,
  isStreamed: boolean,
): Prepared {
  const { config } = request;
  const { temperature, top_k: topK, top_p: topP, max_length: most, raster } = config;
  const { promptTokens, ...read } = textRequestOf(request, { spec, tokenizer, key });
  checkRaster(read.prompt.length, request);
  const seed = config.seed ?? randomInt(SEEDS);
  return {
    work: {
      ...read,
      most,
      sampling: { temperature, topK, topP, seed },
      isStreamed,
      hasRaster: raster,
    },
    answer: ({ ended, ...course }) =>
      inferResponse({
        ...course,
        record,
        promptTokens,
        seed,
        batch: ended?.batch ?? 0,
        use: ended?.spikes,
        raster: ended?.raster,
        ...(labels.length > 0 && { classes: { probabilities: ended?.probabilities, labels } }),
      }),
  };
}

function prepareMedia(
  { key, record }: ServedModel,
  { spec, labels }: Reads<'class'>,
  { inputs }: InferRequest,
): Prepared {
  const media = mediaFrom(inputs, spec, key);
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
