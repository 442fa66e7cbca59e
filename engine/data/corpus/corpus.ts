import { EngineError } from '../../errors.ts';
import type { TextEncodingName } from '../text/encoding.ts';
import type { TextPreparation } from '../text/prepared-text.ts';
import { type Tokenizer, type TokenizerChoice, unitOf } from '../tokenizers/tokenizer.ts';
import type { OpenTokenStore } from './token-store.ts';

/** A text as tokens, read in pieces: memory does not grow with its length. */
export interface Corpus {
  readonly name: string;
  /** SHA-256 of the bytes, in hexadecimal; of several files, of their digests. */
  readonly digest: string;
  /** Tokens in all. */
  readonly length: number;
  /** Number of characters, and of distinct ones, as the tokenizer met them. */
  readonly characters: number;
  readonly distinct: number;
  /** Characters that were dropped because a given tokenizer lacks them. */
  readonly unknown: number;
  /** Detected or given encoding of each file. */
  readonly encodings: readonly TextEncodingName[];
  /** How the bytes became text. */
  readonly preparation: TextPreparation;
  readonly tokenizer: Tokenizer;
  /** Tokens from `start` up to, but not including, `end`. */
  read(start: number, end: number): Promise<Uint32Array>;
  /** Frees the token store; nothing can be read afterwards. */
  close(): Promise<void>;
}

export interface CorpusOptions {
  /** Tokenizer to use instead of one learned from the text. */
  readonly tokenizer?: Tokenizer;
  /** Handling of a character that the tokenizer lacks; the text is refused by default. */
  readonly unknown?: 'refuse' | 'leave out';
  /** Tokenizer to learn if none is given; characters by default. */
  readonly learn?: TokenizerChoice;
  readonly preparation?: TextPreparation;
  /** Opens the store of tokens that cannot be read in place; blobs by default. */
  readonly openStore?: OpenTokenStore;
  /** Called with the bytes read so far. */
  readonly onProgress?: (bytes: number) => void;
  readonly signal?: AbortSignal;
}

/** A range of tokens: from `start` up to, but not including, `end`. */
export interface TokenRange {
  readonly start: number;
  readonly end: number;
}

interface Split {
  readonly train: TokenRange;
  readonly validation: TokenRange;
}

const VALIDATION_SHARE = 0.1;

/** Index of the first validation token: the last tenth is held out. */
export function validationStart(length: number): number {
  return Math.floor(length * (1 - VALIDATION_SHARE));
}

/**
 * The first 90 % of a text for training, the last 10 % for validation. Throws EngineError `text-too-short`
 * if either part cannot hold one sequence and its next token.
 */
export function splitCorpus({ name, length, tokenizer }: Corpus, sequence: number): Split {
  const cut = validationStart(length);
  const needed = sequence + 1;
  if (length - cut < needed) {
    const min = Math.round((needed - 1) / VALIDATION_SHARE) + 1;
    throw new EngineError(
      'text-too-short',
      `${name} has ${length} ${unitOf(tokenizer)}: seq_len ${sequence} needs at least ${min}, ` +
        `as the last tenth is held out for validation`,
    );
  }
  return { train: { start: 0, end: cut }, validation: { start: cut, end: length } };
}
