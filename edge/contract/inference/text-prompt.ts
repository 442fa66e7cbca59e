import { invalid } from '../refusal.ts';
import type { InferInputs, InferRequest } from './infer.ts';

/** What a model's tokenizer is asked for; the engine's own has more. */
export interface Tokenizer {
  /** What an empty prompt reads. */
  readonly start: number;
  encode(text: string): Uint32Array;
}

/** Why a tokenizer refuses a text, as the engine says it and as the answer does. */
const UNREADABLE: Readonly<Record<string, string>> = {
  'unknown-character': 'unknown_character',
  'text-invalid': 'invalid_text',
};

/** The text of a request to a model that reads nothing else. @throws Problem validation_failed */
export function textOf(inputs: InferInputs, model: string): string {
  const { text } = inputs;
  const strange = Object.keys(inputs).filter((name) => name !== 'text');
  if (text !== undefined && strange.length === 0) return text;
  const detail = `${model} reads text: expected inputs.text alone (got ${Object.keys(inputs).join(', ')})`;
  throw invalid('/inputs', 'invalid_value', detail);
}

/** The tokens of a prompt; an empty one starts as after a line break. @throws Problem validation_failed */
export function encodePrompt(
  tokenizer: Tokenizer,
  inputs: InferInputs,
  model: string,
): Uint32Array {
  const text = textOf(inputs, model);
  try {
    return text === '' ? Uint32Array.of(tokenizer.start) : tokenizer.encode(text);
  } catch (error) {
    const code = UNREADABLE[engineCodeOf(error) ?? ''];
    if (code === undefined) throw error;
    const reason = error instanceof Error ? error.message : '';
    throw invalid('/inputs/text', code, `${reason} (${model})`);
  }
}

/** The tokens of a prompt that were asked for: of an empty one, none. */
export function promptTokensOf({ inputs }: Pick<InferRequest, 'inputs'>, prompt: Uint32Array) {
  return (inputs.text ?? '') === '' ? 0 : prompt.length;
}

/** The stop sequences in UTF-8: what a token is made of tells whether one has come. */
export function encodeStops(stops: readonly string[]): Uint8Array[] {
  const utf8 = new TextEncoder();
  return stops.map((stop) => utf8.encode(stop));
}

/** The code of an EngineError; undefined of any other. The contract does not know the engine. */
export const engineCodeOf = (error: unknown): string | undefined =>
  error instanceof Error && error.name === 'EngineError' && 'code' in error
    ? String(error.code)
    : undefined;
