import type { NormalStep } from '../text/normalise.ts';

/** What every tokenizer does: numbers text and gives it back, at once or as it comes. */
export interface TextTokenizer {
  /** Number of tokens. */
  readonly size: number;
  /** What stands before a text that nothing stands before: a line break where there is one. */
  readonly start: number;
  /** What is done to a text before it is cut; nothing where there are none. */
  readonly steps: readonly NormalStep[];
  encode(text: string): Uint32Array;
  /** Encodes a text that comes in parts: the same tokens wherever they end. */
  openEncoder(): TokenEncoder;
  decode(ids: Iterable<number>): string;
  /** Decodes tokens as they come. */
  openDecoder(): TokenDecoder;
  /** The bytes of a token in UTF-8; those of U+FFFD for an id that there is none of. */
  bytesOf(id: number): Uint8Array;
}

export interface TokenEncoder {
  /** Takes the next part; what cannot be told yet is held back. */
  push(text: string): Uint32Array;
  end(): Uint32Array;
}

interface TokenDecoder {
  /** Takes the next tokens; bytes of an unfinished character are held back. */
  push(ids: Iterable<number>): string;
  /** A replacement character where the tokens ended within one. */
  end(): string;
}

/** U+FFFD in UTF-8, for an id that there is none of. */
export const REPLACEMENT_BYTES = Uint8Array.of(0xef, 0xbf, 0xbd);
