import { choice, type FieldsOf, flag, whole } from '../settings/fields.ts';
import { MAX_ORDER } from '../ngrams/trie.ts';
import { BYTE_TOKENS } from '../data/tokenizers/bpe-model.ts';
import { MAX_TOKENS } from '../data/tokenizers/pair-queue.ts';
import { TEXT_ENCODINGS } from '../data/text/encoding.ts';
import {
  NORMALISATIONS,
  type TextFormat,
  type TextPreparation,
} from '../data/text/prepared-text.ts';
import {
  DEFAULT_VOCABULARY,
  TOKENIZER_KINDS,
  type TokenizerChoice,
} from '../data/tokenizers/tokenizer.ts';

/** Decoding of a data set's bytes: fields of every family that reads text. */
export const preparationFields = {
  encoding: choice('detected', ...TEXT_ENCODINGS),
  aozora: flag(false),
  normalise: choice(...NORMALISATIONS),
};
type PreparationFields = FieldsOf<typeof preparationFields>;

/** Tokenization: fields of every family with an open vocabulary. */
const tokenizerFields = {
  tokenizer: choice(...TOKENIZER_KINDS),
  /** Maximum for BPE; a character tokenizer has as many tokens as the text has distinct characters. */
  vocab_size: whole(DEFAULT_VOCABULARY, BYTE_TOKENS, MAX_TOKENS),
};

/** Tokens of the longest n-grams whose log-probabilities are added to a model's logits; 0: no tables. */
export const ngramField = whole(0, 0, MAX_ORDER);

export const textFields = { ...tokenizerFields, ...preparationFields };
export type TextFields = FieldsOf<typeof textFields>;

/** Text preparation from the fields. `format` applies to files without a telling extension. */
export function preparationFrom(
  { encoding, aozora, normalise }: Partial<PreparationFields>,
  format?: TextFormat,
): TextPreparation {
  return {
    ...(encoding && encoding !== 'detected' && { encoding }),
    ...(format && { format }),
    ...(aozora && { aozora }),
    ...(normalise && normalise !== 'none' && { normalise }),
  };
}

/** The tokenizer that the fields choose. */
export function choiceFrom({ tokenizer, vocab_size }: Partial<TextFields>): TokenizerChoice {
  if (tokenizer !== 'bpe') return { kind: 'character' };
  return { kind: 'bpe', vocabulary: vocab_size ?? DEFAULT_VOCABULARY };
}

/**
 * The text fields as a run records them: all, except the vocabulary size that a character tokenizer derives.
 */
export function recordedText(fields: TextFields): Partial<TextFields> {
  const { vocab_size, ...others } = fields;
  return fields.tokenizer === 'bpe' ? { ...others, vocab_size } : others;
}

/** The text fields present among a run's fields. */
export function textFieldsAmong(fields: Readonly<Record<string, unknown>>): Partial<TextFields> {
  const present = Object.keys(textFields).filter((name) => fields[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, fields[name]]));
}
