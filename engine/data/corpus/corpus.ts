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
  /** Characters in all, and different ones, as the tokenizer met them. */
  readonly characters: number;
  readonly distinct: number;
  /** Characters that a given tokenizer lacks and that were left out; they are no tokens. */
  readonly unknown: number;
  /** Of each file, as found or named. */
  readonly encodings: readonly TextEncodingName[];
  /** How the bytes became text. */
  readonly preparation: TextPreparation;
  readonly tokenizer: Tokenizer;
  /** Tokens from `start` up to, not including, `end`. */
  read(start: number, end: number): Promise<Uint32Array>;
  /** Gives back what was kept beside the files; nothing can be read any more. */
  close(): Promise<void>;
}

export interface CorpusOptions {
  /** Encode with this tokenizer instead of one made of the text. */
  readonly tokenizer?: Tokenizer;
  /** What to do with a character that it lacks: to refuse the text, where this is left out. */
  readonly unknown?: 'refuse' | 'leave out';
  /** What is made of the text where no tokenizer is given; its characters where it is left out. */
  readonly learn?: TokenizerChoice;
  readonly preparation?: TextPreparation;
  /** Where tokens are kept that the bytes of a file do not tell; blobs where it is left out. */
  readonly openStore?: OpenTokenStore;
  /** Called with the bytes read so far. */
  readonly onProgress?: (bytes: number) => void;
  readonly signal?: AbortSignal;
}

/** A range of tokens: from `start` up to, not including, `end`. */
export interface TokenRange {
  readonly start: number;
  readonly end: number;
}

interface Split {
  readonly train: TokenRange;
  readonly validation: TokenRange;
}

const VALIDATION_SHARE = 0.1;

/** The last tenth of `length` tokens is kept to check with: where it begins. */
export function validationStart(length: number): number {
  return Math.floor(length * (1 - VALIDATION_SHARE));
}

/**
 * The first 90 % of a text to learn from, the last 10 % to check with. Throws EngineError
 * `text-too-short` when either part cannot hold one sequence and its next token.
 */
export function splitCorpus({ name, length, tokenizer }: Corpus, sequence: number): Split {
  const cut = validationStart(length);
  const needed = sequence + 1;
  if (length - cut < needed) {
    const min = Math.round((needed - 1) / VALIDATION_SHARE) + 1;
    throw new EngineError(
      'text-too-short',
      `${name} has ${length} ${unitOf(tokenizer)}: seq_len ${sequence} needs at least ${min}, ` +
        `as the last tenth is kept for validation`,
    );
  }
  return { train: { start: 0, end: cut }, validation: { start: cut, end: length } };
}
