import type { TextRecord } from './text-record.ts';
import type { Corpus } from '../data/corpus/corpus.ts';
import type { TextFormat } from '../data/text/prepared-text.ts';
import type { OpenTokenStore } from '../data/corpus/token-store.ts';
import type { Tokenizer } from '../data/tokenizers/tokenizer.ts';
import type { StoredModel } from './checkpoint.ts';

/** Data that was looked through once, ready to be learned from. */
export interface RunData {
  readonly name: string;
  /** SHA-256 in hexadecimal of what is learned from. */
  readonly digest: string;
  /** Tokens, or examples. */
  readonly length: number;
  /** Facts of the data that plans depend on, such as the size of the vocabulary. */
  readonly shape: DataShape;
  /** How the bytes of a text became text. */
  readonly text?: TextRecord;
  /** Gives back what was kept beside the files; nothing can be read any more. */
  readonly close?: () => Promise<void>;
}

/** Numbers that a family's plan takes from its data, by name, such as `vocabulary` or `classes`. */
export type DataShape = Readonly<Record<string, number>>;

export interface DataOptions {
  /** The model that a run continues from: its vocabulary or classes hold. */
  readonly base?: StoredModel;
  /** The tokenizer of a new text model, instead of one made of its text. */
  readonly tokenizer?: Tokenizer;
  /** Handling of a character that the tokenizer of the base lacks; refused by default. */
  readonly unknown?: 'refuse' | 'leave out';
  /** Of text files whose names do not tell. */
  readonly format?: TextFormat;
  /** Where tokens are kept that the bytes of the files do not tell. */
  readonly openStore?: OpenTokenStore;
  /** Called with the bytes read so far, of all there are. */
  readonly onProgress?: (read: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** Text as the data of a run. */
export interface TextData extends RunData {
  readonly corpus: Corpus;
}
