import { invalid } from '../../contract/refusal.ts';
import type { InferInputs, InferRequest } from './infer.ts';
import { bytesOfBase64 } from '../../contract/base64.ts';

export const INPUT_NAMES = ['text', 'image', 'audio'] as const;
export type InputName = (typeof INPUT_NAMES)[number];

/** The inputs of a model by modality: those it needs, and those it also takes. */
export type ModelInputs = Readonly<Partial<Record<InputName, 'needed' | 'taken'>>>;

/** The fields of a model_spec that determine its inputs. */
export interface InputSpec {
  readonly architecture: string;
  /** Of models trained with images and audio, `image` and `audio`. */
  readonly core?: object;
}

/** Text models take text, classifiers what they classify, and others what they were trained with. */
export function modelInputsOf({ architecture, core = {} }: InputSpec): ModelInputs {
  const trained = (need: 'needed' | 'taken'): ModelInputs => ({
    text: 'taken',
    ...('image' in core && { image: need }),
    ...('audio' in core && { audio: need }),
  });
  switch (architecture) {
    case 'spiking_vision':
      return { image: 'needed' };
    case 'spiking_audio':
      return { audio: 'needed' };
    case 'spiking_multimodal':
      return trained('needed');
    case 'memoried_spikenetlm':
      return trained('taken');
    default:
      return { text: 'needed' };
  }
}

/** @throws Problem validation_failed naming the inputs that the model takes, for any others */
export function checkInputs(inputs: InferInputs, takes: ModelInputs, model: string): void {
  const given = INPUT_NAMES.filter((name) => inputs[name] !== undefined);
  const isMissing = INPUT_NAMES.some((name) => takes[name] === 'needed' && !given.includes(name));
  if (!isMissing && given.every((name) => takes[name] !== undefined)) return;
  const detail = `${inputsSentence(takes, model)} (got ${given.join(', ')})`;
  throw invalid('/inputs', 'invalid_value', detail);
}

const written = (names: readonly InputName[]) => names.map((name) => `inputs.${name}`);

/** Such as "fox reads text: expected inputs.text alone". */
function inputsSentence(takes: ModelInputs, model: string): string {
  const named = (need: 'needed' | 'taken') => INPUT_NAMES.filter((name) => takes[name] === need);
  const [needed, taken] = [named('needed'), named('taken')];
  if (needed.length === 0) {
    return `${model} reads ${taken.join(', ')}: expected one or more of ${written(taken).join(', ')}`;
  }
  const sentence = `${model} reads ${needed.join(' and ')}: expected ${written(needed).join(' and ')}`;
  return taken.length === 0
    ? `${sentence} alone`
    : `${sentence}, and ${written(taken).join(', ')} where wanted`;
}

/** The decoders of the engine; its entry point at the edge differs from the one in Node. */
interface Decoders<Image, Audio> {
  decodePng(name: string, bytes: Uint8Array, maxPixels?: number): Image;
  decodeWav(name: string, bytes: Uint8Array): Audio;
}

/** The decoded image and audio of a request. */
interface DecodedMedia<Image, Audio> {
  readonly picture?: Image;
  readonly sound?: Audio;
}

/** The maximum pixels of an image, as a file of two kilobytes may claim any size: those of 1920 x 1080. */
const MAX_PIXELS = 2 ** 21;

/** @throws Problem validation_failed that names what is wrong and what was expected */
export function decodedMedia<Image, Audio>(
  { image, audio }: InferInputs,
  { decodePng, decodeWav }: Decoders<Image, Audio>,
): DecodedMedia<Image, Audio> {
  return {
    ...(image !== undefined && {
      picture: explained('image', () =>
        decodePng('the picture', bytesOfBase64(image, '/inputs/image'), MAX_PIXELS),
      ),
    }),
    ...(audio !== undefined && {
      sound: explained('audio', () =>
        decodeWav('the sound', bytesOfBase64(audio, '/inputs/audio')),
      ),
    }),
  };
}

/** Turns an engine error about an input into a refusal of the request. @throws Problem validation_failed */
export function explained<Result>(kind: 'image' | 'audio', read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (engineCodeOf(error) === undefined || !(error instanceof Error)) throw error;
    throw invalid(`/inputs/${kind}`, 'invalid_value', error.message);
  }
}

/** The part of the engine's tokenizer that is needed here. */
interface Tokenizer {
  /** The token of an empty prompt. */
  readonly start: number;
  encode(text: string): Uint32Array;
}

/** The codes of a tokenizer's errors, and those of the response. */
const UNREADABLE: Readonly<Record<string, string>> = {
  'unknown-character': 'unknown_character',
  'text-invalid': 'invalid_text',
};

/**
 * The tokens of a prompt behind the mark that a model's texts begin with; an empty one without a mark
 * starts as after a line break.
 *
 * @throws Problem validation_failed
 */
export function encodePrompt(
  tokenizer: Tokenizer,
  { text = '' }: InferInputs,
  { model, mark = '' }: { readonly model: string; readonly mark?: string | undefined },
): Uint32Array {
  const begun = mark + text;
  try {
    return begun === '' ? Uint32Array.of(tokenizer.start) : tokenizer.encode(begun);
  } catch (error) {
    const code = UNREADABLE[engineCodeOf(error) ?? ''];
    if (code === undefined) throw error;
    const reason = error instanceof Error ? error.message : '';
    throw invalid('/inputs/text', code, `${reason} (${model})`);
  }
}

/**
 * The number of tokens of the prompt as given: an empty one has none, and the mark in front does not
 * count.
 */
export function promptTokensOf(
  { inputs }: Pick<InferRequest, 'inputs'>,
  prompt: Uint32Array,
  mark = '',
) {
  return (inputs.text ?? '') === '' ? 0 : prompt.length - mark.length;
}

/** The stop sequences in UTF-8, as tokens are compared by their bytes. */
export function encodeStops(stops: readonly string[]): Uint8Array[] {
  const utf8 = new TextEncoder();
  return stops.map((stop) => utf8.encode(stop));
}

/** The code of an EngineError; undefined of any other. The contract does not know the engine. */
export const engineCodeOf = (error: unknown): string | undefined =>
  error instanceof Error && error.name === 'EngineError' && 'code' in error
    ? String(error.code)
    : undefined;
