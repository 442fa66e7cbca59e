import type { BpeModel } from '../data/bpe/bpe-model.ts';
import type { Tokenizer } from '../data/tokenizer.ts';
import type { TextSize } from './text-meter.ts';

/** The text that each token stands for, by its id. */
export interface TokenSizes {
  /** Code points that begin in the token: 0 for the later bytes of one. */
  readonly characters: Uint32Array;
  /** In UTF-8. */
  readonly bytes: Uint32Array;
}

export function tokenSizes(tokenizer: Tokenizer): TokenSizes {
  return tokenizer.kind === 'bpe'
    ? byteRunSizes(tokenizer.model)
    : characterSizes(tokenizer.characters);
}

/** Of tokens that are characters. */
export function characterSizes(characters: readonly string[]): TokenSizes {
  const encoder = new TextEncoder();
  return {
    characters: new Uint32Array(characters.length).fill(1),
    bytes: Uint32Array.from(characters, (character) => encoder.encode(character).length),
  };
}

/** Of tokens that are runs of bytes. */
export function byteRunSizes({ tokens }: BpeModel): TokenSizes {
  return {
    characters: Uint32Array.from(tokens, (run) => run.filter(beginsCharacter).length),
    bytes: Uint32Array.from(tokens, (run) => run.length),
  };
}

/** All but the continuation bytes of UTF-8. */
const beginsCharacter = (byte: number): boolean => (byte & 0xc0) !== 0x80;

/** The text that tokens stand for together. */
export function sizeOfTokens(tokens: ArrayLike<number>, sizes: TokenSizes): TextSize {
  let [characters, bytes] = [0, 0];
  for (let i = 0; i < tokens.length; i++) {
    const id = tokens[i] ?? 0;
    characters += sizes.characters[id] ?? 0;
    bytes += sizes.bytes[id] ?? 0;
  }
  return { characters, bytes };
}
