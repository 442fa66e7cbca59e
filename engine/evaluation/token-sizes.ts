import type { TextTokenizer } from '../data/tokenizers/text-tokenizer.ts';
import type { TextSize } from './text-meter.ts';

/** The text that each token stands for, by its id. */
export interface TokenSizes {
  /** Code points that begin in the token: 0 for the later bytes of one. */
  readonly characters: Uint32Array;
  /** In UTF-8. */
  readonly bytes: Uint32Array;
}

export function tokenSizes({ size, bytesOf }: Pick<TextTokenizer, 'size' | 'bytesOf'>): TokenSizes {
  const sizes = { characters: new Uint32Array(size), bytes: new Uint32Array(size) };
  for (let id = 0; id < size; id++) {
    const bytes = bytesOf(id);
    sizes.bytes[id] = bytes.length;
    sizes.characters[id] = bytes.filter(beginsCharacter).length;
  }
  return sizes;
}

/** All but the continuation bytes of UTF-8. */
const beginsCharacter = (byte: number): boolean => (byte & 0xc0) !== 0x80;

/** The text that tokens stand for together, however they cut its characters. */
export function sizeOfTokens(tokens: ArrayLike<number>, sizes: TokenSizes): TextSize {
  let [characters, bytes] = [0, 0];
  for (let i = 0; i < tokens.length; i++) {
    const id = tokens[i] ?? 0;
    characters += sizes.characters[id] ?? 0;
    bytes += sizes.bytes[id] ?? 0;
  }
  return { characters, bytes };
}
