import type { InferInputs } from '../edge/inference/contract/infer.ts';
import {
  checkInputs,
  decodedMedia,
  explained,
  modelInputsOf,
} from '../edge/inference/contract/request-inputs.ts';
import {
  checkMedia,
  type ClassSpec,
  decodePng,
  decodeWav,
  type Media,
  mediaOf,
  type PrefixedSpec,
  type PrefixInputs,
  prefixInputsOf,
  shownMedia,
} from '../engine/index.ts';

const decoders = { decodePng, decodeWav };

/**
 * The picture or the sound of a request, as a classifier can be shown it.
 *
 * @throws Problem validation_failed that names what is wrong and what was expected
 */
export function mediaFrom(inputs: InferInputs, spec: ClassSpec, model: string): Media {
  checkInputs(inputs, modelInputsOf(spec), model);
  const media = shownMedia(decodedMedia(inputs, decoders));
  explained(mediaOf(spec), () => checkMedia(spec, media));
  return media;
}

/**
 * The pictures and sounds of a request that stand in front of a text, of inputs that the model takes.
 *
 * @throws Problem validation_failed that names what is wrong and what was expected
 */
export function prefixFrom(inputs: InferInputs, spec: PrefixedSpec): PrefixInputs {
  const media = decodedMedia(inputs, decoders);
  return explained(media.sound ? 'audio' : 'image', () => prefixInputsOf(spec, media));
}
