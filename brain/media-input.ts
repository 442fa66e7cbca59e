import type { InferInputs } from '../edge/contract/inference/infer.ts';
import { invalid } from '../edge/contract/refusal.ts';
import {
  checkMedia,
  type ClassSpec,
  decodePng,
  decodeWav,
  EngineError,
  type Media,
  mediaOf,
} from '../engine/index.ts';
import { bytesOfBase64 } from './base64.ts';

/**
 * The picture or the sound of a request, as a model can be shown it.
 *
 * @throws Problem validation_failed that names what is wrong and what was expected
 */
export function mediaFrom(inputs: InferInputs, spec: ClassSpec, model: string): Media {
  const kind = mediaOf(spec);
  const text = inputs[kind];
  const given = Object.keys(inputs);
  if (text === undefined || given.length > 1) {
    const detail = `${model} reads ${kind}: expected inputs.${kind} alone (got ${given.join(', ')})`;
    throw invalid('/inputs', 'invalid_value', detail);
  }
  const pointer = `/inputs/${kind}`;
  const bytes = bytesOfBase64(text, pointer);
  try {
    const media: Media =
      kind === 'image'
        ? { kind, picture: decodePng('the picture', bytes) }
        : { kind, sound: decodeWav('the sound', bytes) };
    checkMedia(spec, media);
    return media;
  } catch (error) {
    if (error instanceof EngineError) throw invalid(pointer, 'invalid_value', error.message);
    throw error;
  }
}
