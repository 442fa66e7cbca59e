import type { InferInputs } from '../edge/contract/inference/infer.ts';
import { checkInputs, modelInputsOf } from '../edge/contract/inference/model-inputs.ts';
import { invalid } from '../edge/contract/refusal.ts';
import {
  checkMedia,
  type ClassSpec,
  decodePng,
  decodeWav,
  EngineError,
  type Media,
  mediaOf,
  type PrefixedSpec,
  type PrefixInputs,
  prefixInputsOf,
  type PrefixMedia,
} from '../engine/index.ts';
import { bytesOfBase64 } from './base64.ts';

/**
 * The picture or the sound of a request, as a classifier can be shown it.
 *
 * @throws Problem validation_failed that names what is wrong and what was expected
 */
export function mediaFrom(inputs: InferInputs, spec: ClassSpec, model: string): Media {
  checkInputs(inputs, modelInputsOf(spec), model);
  const kind = mediaOf(spec);
  return explained(kind, () => {
    const { picture, sound } = decoded(inputs);
    const media = picture ? { kind: 'image' as const, picture } : sound && { kind: 'audio' as const, sound };
    if (!media) throw new Error(`${model} was given no ${kind}`);
    checkMedia(spec, media);
    return media;
  });
}

/**
 * The pictures and sounds of a request that stand in front of a text, of inputs that the model takes.
 *
 * @throws Problem validation_failed that names what is wrong and what was expected
 */
export function prefixFrom(inputs: InferInputs, spec: PrefixedSpec): PrefixInputs {
  const { picture } = explained('image', () => decoded({ image: inputs.image }));
  return explained('audio', () => {
    const { sound } = decoded({ audio: inputs.audio });
    return prefixInputsOf(spec, { ...(picture && { picture }), ...(sound && { sound }) });
  });
}

function decoded({ image, audio }: InferInputs): PrefixMedia {
  return {
    ...(image !== undefined && {
      picture: decodePng('the picture', bytesOfBase64(image, '/inputs/image')),
    }),
    ...(audio !== undefined && {
      sound: decodeWav('the sound', bytesOfBase64(audio, '/inputs/audio')),
    }),
  };
}

function explained<Result>(kind: Media['kind'], read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof EngineError)
      throw invalid(`/inputs/${kind}`, 'invalid_value', error.message);
    throw error;
  }
}
