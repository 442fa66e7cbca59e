import { engineCodeOf } from './text-prompt.ts';
import type { InferInputs } from './infer.ts';
import { invalid } from '../../contract/refusal.ts';
import { bytesOfBase64 } from '../../contract/base64.ts';

/** How the engine reads files; its surface at the edge is not the one in Node. */
export interface Decoders<Picture, Sound> {
  decodePng(name: string, bytes: Uint8Array, mostPixels?: number): Picture;
  decodeWav(name: string, bytes: Uint8Array): Sound;
}

/** A picture and a sound of a request, decoded. */
export interface DecodedMedia<Picture, Sound> {
  readonly picture?: Picture;
  readonly sound?: Sound;
}

/** Of a picture in a request, which a file of two kilobytes may claim to have: as many as 1920 x 1080 has. */
const MOST_PIXELS = 2 ** 21;

/** @throws Problem validation_failed that names what is wrong and what was expected */
export function decodedMedia<Picture, Sound>(
  { image, audio }: InferInputs,
  { decodePng, decodeWav }: Decoders<Picture, Sound>,
): DecodedMedia<Picture, Sound> {
  return {
    ...(image !== undefined && {
      picture: explained('image', () =>
        decodePng('the picture', bytesOfBase64(image, '/inputs/image'), MOST_PIXELS),
      ),
    }),
    ...(audio !== undefined && {
      sound: explained('audio', () =>
        decodeWav('the sound', bytesOfBase64(audio, '/inputs/audio')),
      ),
    }),
  };
}

/** What the engine refuses of an input as a refusal of the request. @throws Problem validation_failed */
export function explained<Result>(kind: 'image' | 'audio', read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (engineCodeOf(error) === undefined || !(error instanceof Error)) throw error;
    throw invalid(`/inputs/${kind}`, 'invalid_value', error.message);
  }
}
