import type { NormalStep } from '../text/normalise.ts';

/** The common interface of tokenizers: encoding and decoding, at once or streamed. */
export interface TextTokenizer {
  /** Number of tokens. */
  readonly size: number;
  /** Token that precedes every text: a line break if there is one. */
  readonly start: number;
  /** Normalisation before splitting; may be empty. */
  readonly steps: readonly NormalStep[];
  encode(text: string): Uint32Array;
  /** A streaming encoder: the same tokens however the text is split. */
  openEncoder(): TokenEncoder;
  decode(ids: Iterable<number>): string;
  /** A streaming decoder. */
  openDecoder(): TokenDecoder;
  /** The bytes of a token in UTF-8; those of U+FFFD for an id that there is none of. */
  bytesOf(id: number): Uint8Array;
}

export interface TokenEncoder {
  /** Takes the next part; returns the tokens that no later part can change. */
  push(text: string): Uint32Array;
  end(): Uint32Array;
}

interface TokenDecoder {
  /** Takes the next tokens; buffers the bytes of an incomplete character. */
  push(ids: Iterable<number>): string;
  /** A replacement character where the tokens ended within one. */
  end(): string;
}

/** U+FFFD in UTF-8, for an id that there is none of. */
export const REPLACEMENT_BYTES = Uint8Array.of(0xef, 0xbf, 0xbd);
