import type { TextGenerator } from './generator.ts';

/** A stored model made ready to write text. */
export interface LanguageModel extends TextGenerator {
  close(): void;
}

export interface LanguageModelOptions {
  /** `int8` rounds the weights that spikes feed: a quarter of the bytes to read, and not quite the same text. */
  readonly weights?: 'float32' | 'int8';
  /** Tokens of a prompt that a memoried model reads at once; the text does not depend on it. */
  readonly chunk?: number | undefined;
}
