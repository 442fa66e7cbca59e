import type { InferInputs } from '../../edge/contract/inference/infer.ts';
import { invalid } from '../../edge/http/infer-answer.ts';
import {
  checkMedia,
  type ClassSpec,
  decodePng,
  decodeWav,
  EngineError,
  type Media,
  mediaOf,
} from '../../engine/index.ts';

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
  const bytes = bytesOf(text, pointer);
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

/** Base64 with its padding (RFC 4648, section 4). */
function bytesOf(text: string, pointer: string): Uint8Array {
  const digits = text.replace(/={1,2}$/, '');
  const at = digits.search(/[^A-Za-z0-9+/]/);
  if (at >= 0) {
    const strange = String.fromCodePoint(digits.codePointAt(at) ?? 0);
    const detail = `${JSON.stringify(strange)} at character ${at}: expected base64`;
    throw invalid(pointer, 'invalid_base64', detail);
  }
  if (text.length === 0 || text.length % 4 !== 0) {
    const detail = `${text.length} characters of base64: expected a multiple of 4, padded with =`;
    throw invalid(pointer, 'invalid_base64', detail);
  }
  return Buffer.from(text, 'base64');
}
