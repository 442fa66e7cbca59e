import { type BpeTokenizer, createBpeTokenizer } from './bpe-tokenizer.ts';
import { trainBpe } from './train-bpe.ts';
import { type CharacterTokenizer, createCharacterTokenizer } from './character-tokenizer.ts';
import type { NormalStep } from '../text/normalise.ts';
import { CharacterCount } from '../text/character-count.ts';

export const TOKENIZER_KINDS = ['character', 'bpe'] as const;
export type TokenizerKind = (typeof TOKENIZER_KINDS)[number];

/** A tokenizer by its `kind`; see TextTokenizer for the common interface. */
export type Tokenizer = CharacterTokenizer | BpeTokenizer;

/** A tokenizer to learn from the training text. */
export type TokenizerChoice =
  | { readonly kind: 'character' }
  /** Maximum number of tokens. */
  | { readonly kind: 'bpe'; readonly vocabulary: number };

/** Default vocabulary of byte pair encoding. */
export const DEFAULT_VOCABULARY = 4096;
/** Distinct pieces that are counted: more would take memory that grows with the text. */
const COUNTED_PIECES = 1 << 17;

interface LearnOptions {
  readonly signal?: AbortSignal | undefined;
  /** Normalisation of the text, which the tokenizer applies to every text. */
  readonly steps?: readonly NormalStep[];
}

/** Makes a tokenizer of a text. Throws as `trainBpe`. */
export async function learnTokenizer(
  choice: TokenizerChoice,
  pieces: AsyncIterable<string>,
  { signal, steps = [] }: LearnOptions = {},
): Promise<Tokenizer> {
  if (choice.kind === 'bpe') {
    const { vocabulary } = choice;
    const options = { vocabulary, maxPieces: COUNTED_PIECES, ...(signal && { signal }) };
    return createBpeTokenizer(await trainBpe(pieces, options), steps);
  }
  const count = new CharacterCount();
  for await (const piece of pieces) count.take(piece);
  return createCharacterTokenizer(count.alphabet(), steps);
}

/** Unit of text lengths, for messages. */
export function unitOf({ kind }: Pick<Tokenizer, 'kind'>): 'characters' | 'tokens' {
  return kind === 'character' ? 'characters' : 'tokens';
}

/** Token ids in the narrowest words that hold those of a tokenizer. */
export type Tokens = Uint8Array | Uint16Array | Uint32Array;

/** The narrowest words that hold every id of a tokenizer. */
export function wordsFor({ size }: Pick<Tokenizer, 'size'>) {
  if (size <= 2 ** 8) return Uint8Array;
  return size <= 2 ** 16 ? Uint16Array : Uint32Array;
}
