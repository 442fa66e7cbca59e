import { type BrainPrompt, modalitiesOf } from '../edge/brain/contract/prompt.ts';
import { type InferInputs, InferRequest } from '../edge/inference/contract/infer.ts';
import { decodedMedia, explained } from '../edge/inference/contract/request-inputs.ts';
import { checkInputs, modelInputsOf } from '../edge/inference/contract/request-inputs.ts';
import {
  encodePrompt,
  encodeStops,
  promptTokensOf,
} from '../edge/inference/contract/request-inputs.ts';
import type { VersionChoice } from '../edge/registry/contract/model.ts';
import { parseBody } from '../edge/contract/parse.ts';
import { Problem } from '../edge/contract/refusal.ts';
import { Version } from '../edge/contract/semver.ts';
import {
  CAPTION_MARK,
  checkMedia,
  type ClassSpec,
  decodePng,
  decodeWav,
  isPrefixedSpec,
  type Media,
  mediaOf,
  type ModelSpec,
  type PrefixedSpec,
  type PrefixInputs,
  prefixInputsOf,
  shownMedia,
  type Tokenizer,
} from '../engine/index.ts';
import type { Reads } from './node-types.ts';

/** A model of the registry, and which version of it. */
export type ModelChoice = { readonly modelId: string } & VersionChoice;

/** Parses a model id with an optional version or alias after an @. */
export function choiceOf(model: string): ModelChoice {
  const [modelId = '', chosen] = model.split('@');
  if (chosen === undefined) return { modelId };
  return Version.safeParse(chosen).success
    ? { modelId, version: chosen }
    : { modelId, alias: chosen };
}

/**
 * The inference request for a prompt.
 * @throws Problem validation_failed if the model cannot read it
 */
export function requestOf(
  prompt: BrainPrompt,
  { choice, reads }: { readonly choice: ModelChoice; readonly reads: Reads },
): InferRequest {
  const { [reads]: input, config, timeout_ms } = prompt;
  if (input === undefined) {
    const given = modalitiesOf(prompt).join(', ');
    throw new Problem(
      'validation_failed',
      `${choice.modelId} reads ${reads}: expected ${reads} (got ${given}).`,
    );
  }
  const { modelId: model_id, version, alias } = choice;
  return parseBody(InferRequest, {
    model_id,
    config,
    timeout_ms,
    ...(version !== undefined && { version }),
    ...(alias !== undefined && { alias }),
    inputs: { [reads]: input },
  });
}

/** A model that writes text, as its requests are read for it. */
interface TextModel {
  readonly spec: ModelSpec;
  readonly tokenizer: Tokenizer;
  /** The name of the model in error messages. */
  readonly key: string;
}

/** Encoded input of a text model, and its stop sequences. */
interface TextRequest {
  readonly prompt: Uint32Array;
  readonly prefix: PrefixInputs | undefined;
  readonly stops: readonly Uint8Array[];
  /** Tokens of the prompt as given. */
  readonly promptTokens: number;
}

/**
 * Captions and streams are delimited by a mark; other texts have none.
 * @throws Problem validation_failed for inputs that the model cannot read
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

const decoders = { decodePng, decodeWav };

/**
 * The image or audio of a request to a classifier.
 * @throws Problem validation_failed that names what is wrong and what was expected
 */
export function mediaFrom(inputs: InferInputs, spec: ClassSpec, model: string): Media {
  checkInputs(inputs, modelInputsOf(spec), model);
  const media = shownMedia(decodedMedia(inputs, decoders));
  explained(mediaOf(spec), () => checkMedia(spec, media));
  return media;
}

/**
 * The images and audio of a request that precede a text.
 * @throws Problem validation_failed that names what is wrong and what was expected
 */
function prefixFrom(inputs: InferInputs, spec: PrefixedSpec): PrefixInputs {
  const media = decodedMedia(inputs, decoders);
  return explained(media.sound ? 'audio' : 'image', () => prefixInputsOf(spec, media));
}
