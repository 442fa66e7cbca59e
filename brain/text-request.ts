import type { InferRequest } from '../edge/inference/contract/infer.ts';
import {
  checkInputs,
  encodePrompt,
  encodeStops,
  modelInputsOf,
  promptTokensOf,
} from '../edge/inference/contract/request-inputs.ts';
import {
  CAPTION_MARK,
  isPrefixedSpec,
  type ModelSpec,
  type PrefixInputs,
  type Tokenizer,
} from '../engine/index.ts';
import { prefixFrom } from './media-input.ts';

/** A model that writes text, as its requests are read for it. */
export interface TextModel {
  readonly spec: ModelSpec;
  readonly tokenizer: Tokenizer;
  /** What the model is called in refusals. */
  readonly key: string;
}

/** What a model reads for a request, and where what it writes ends. */
export interface TextRequest {
  readonly prompt: Uint32Array;
  readonly prefix: PrefixInputs | undefined;
  readonly stops: readonly Uint8Array[];
  /** Tokens of the prompt that were asked for. */
  readonly promptTokens: number;
}

/**
 * Captions and streams begin behind a mark and end before the next one; other texts know none.
 *
 * @throws Problem validation_failed for what the model cannot read
 */
export function textRequestOf(
  { inputs, config }: Pick<InferRequest, 'inputs' | 'config'>,
  { spec, tokenizer, key }: TextModel,
): TextRequest {
  checkInputs(inputs, modelInputsOf(spec), key);
  const hasPrefix = isPrefixedSpec(spec);
  const mark = hasPrefix ? CAPTION_MARK : undefined;
  const prompt = encodePrompt(tokenizer, inputs, { model: key, mark });
  return {
    prompt,
    prefix: hasPrefix ? prefixFrom(inputs, spec) : undefined,
    stops: encodeStops(mark === undefined ? config.stop : [...config.stop, mark]),
    promptTokens: promptTokensOf({ inputs }, prompt, mark),
  };
}
