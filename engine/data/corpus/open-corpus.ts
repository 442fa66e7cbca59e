import { EngineError } from '../../errors.ts';
import type { ByteSource } from '../files/byte-source.ts';
import { openPlainCorpus, type PlainOptions } from './plain-corpus.ts';
import type { TextEncodingName } from '../text/encoding.ts';
import { isJsonl, type TextPreparation } from '../text/prepared-text.ts';
import { openTokenCorpus } from './token-corpus.ts';
import type { OpenTokenStore } from '../token-store.ts';
import type { Tokenizer, TokenizerChoice } from '../tokenizers/tokenizer.ts';

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

/**
 * Opens a text in one or more files. What is plain UTF-8, a character a token, is read in place;
 * everything else is encoded once into a store. Throws EngineError `text-too-short` for an empty text,
 * `text-invalid` for bytes that cannot be decoded, `unknown-character` for a character that a given
 * tokenizer lacks.
 */
export async function openCorpus(
  source: ByteSource | readonly ByteSource[],
  options: CorpusOptions = {},
): Promise<Corpus> {
  const sources = 'read' in source ? [source] : source;
  if (sources.length === 0) {
    throw new EngineError('text-too-short', 'no file was given: expected text to learn from');
  }
  const plain = plainSource(sources, options);
  if (!plain) return openTokenCorpus(sources, options);
  try {
    return await openPlainCorpus(plain.source, plain.options);
  } catch (error) {
    if (!needsStore(error, options)) throw error;
    return openTokenCorpus(sources, options);
  }
}

/** The one file whose bytes may tell its tokens without a store; undefined where a store is needed. */
function plainSource(
  [source, ...others]: readonly ByteSource[],
  { tokenizer, learn, preparation = {}, onProgress, signal }: CorpusOptions,
): { readonly source: ByteSource; readonly options: PlainOptions } | undefined {
  if (!source || others.length > 0 || !isPlain(source.name, preparation)) return undefined;
  if (!tokenizer)
    return learn?.kind === 'bpe'
      ? undefined
      : { source, options: { tokenizer, onProgress, signal } };
  if (tokenizer.kind === 'bpe' || tokenizer.steps.length > 0) return undefined;
  return { source, options: { tokenizer, onProgress, signal } };
}

/** Whether the characters of a text may be those of its bytes. */
function isPlain(name: string, preparation: TextPreparation): boolean {
  const { encoding = 'utf-8', aozora = false, normalise = 'none' } = preparation;
  return encoding === 'utf-8' && !aozora && normalise === 'none' && !isJsonl(name, preparation);
}

/** Whether a text that cannot be read in place can be read all the same. */
function needsStore(error: unknown, { preparation, unknown }: CorpusOptions): boolean {
  if (!(error instanceof EngineError)) return false;
  if (error.code === 'unknown-character') return unknown === 'leave out';
  return error.code === 'text-invalid' && preparation?.encoding === undefined;
}
