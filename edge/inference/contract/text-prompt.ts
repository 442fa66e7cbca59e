import { invalid } from '../../contract/refusal.ts';
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

/**
 * The tokens of a prompt behind the mark that a model's texts begin with; an empty one without a mark starts as
 * after a line break.
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

/** The tokens of a prompt that were asked for: of an empty one, none; a mark in front of it is not. */
export function promptTokensOf(
  { inputs }: Pick<InferRequest, 'inputs'>,
  prompt: Uint32Array,
  mark = '',
) {
  return (inputs.text ?? '') === '' ? 0 : prompt.length - mark.length;
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
