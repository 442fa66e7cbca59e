import type { InferRequest } from './contract/infer.ts';
import { checkInputs, modelInputsOf } from './contract/model-inputs.ts';
import { encodePrompt, encodeStops, promptTokensOf } from './contract/text-prompt.ts';
import { decodedMedia, explained } from './contract/media-input.ts';
import {
  CAPTION_MARK,
  checkMedia,
  decodePng,
  decodeWav,
  isPrefixedSpec,
  type Media,
  mediaOf,
  prefixInputsOf,
  type Sequence,
  shownMedia,
} from '../../engine/inference.ts';
import type { LoadedClasses, LoadedText } from './loaded-model.ts';

const decoders = { decodePng, decodeWav };

/** What a model reads for a request, and where what it writes ends. */
export interface TextRequest extends Pick<Sequence, 'prompt' | 'prefix' | 'stops'> {
  /** Tokens of the prompt that were asked for. */
  readonly promptTokens: number;
}

/** @throws Problem validation_failed for what the model cannot read */
export function textRequestOf(
  { inputs, config }: InferRequest,
  { spec, tokenizer }: LoadedText,
  model: string,
): TextRequest {
  checkInputs(inputs, modelInputsOf(spec), model);
  const mark = isPrefixedSpec(spec) ? CAPTION_MARK : undefined;
  const prompt = encodePrompt(tokenizer, inputs, { model, mark });
  const media = decodedMedia(inputs, decoders);
  const prefix =
    isPrefixedSpec(spec) &&
    explained(media.sound ? 'audio' : 'image', () => prefixInputsOf(spec, media));
  return {
    prompt,
    ...(prefix && { prefix }),
    stops: encodeStops(mark === undefined ? config.stop : [...config.stop, mark]),
    promptTokens: promptTokensOf({ inputs }, prompt, mark),
  };
}

/** What a classifier is shown. @throws Problem validation_failed for what it cannot be */
export function shownTo({ inputs }: InferRequest, { spec }: LoadedClasses, model: string): Media {
  checkInputs(inputs, modelInputsOf(spec), model);
  const media = shownMedia(decodedMedia(inputs, decoders));
  explained(mediaOf(spec), () => checkMedia(spec, media));
  return media;
}
