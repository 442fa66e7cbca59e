import { EngineError } from '../../errors.ts';
import type { Corpus } from './open-corpus.ts';
import { unitOf } from '../tokenizers/tokenizer.ts';

/** A range of tokens: from `start` up to, not including, `end`. */
export interface TokenRange {
  readonly start: number;
  readonly end: number;
}

export interface Split {
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
    const least = Math.round((needed - 1) / VALIDATION_SHARE) + 1;
    throw new EngineError(
      'text-too-short',
      `${name} has ${length} ${unitOf(tokenizer)}: seq_len ${sequence} needs at least ${least}, ` +
        `as the last tenth is kept for validation`,
    );
  }
  return { train: { start: 0, end: cut }, validation: { start: cut, end: length } };
}
