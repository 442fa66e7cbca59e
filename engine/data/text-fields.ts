import { choice, type FieldsOf, flag, whole } from '../settings/fields.ts';
import { BYTE_TOKENS } from './bpe/bpe-model.ts';
import { MOST_TOKENS } from './bpe/pair-queue.ts';
import { TEXT_ENCODINGS } from './text/encoding.ts';
import { NORMALISATIONS, type TextFormat, type TextPreparation } from './text/prepared-text.ts';
import { DEFAULT_VOCABULARY, TOKENIZER_KINDS, type TokenizerChoice } from './tokenizer.ts';

/** How the bytes of a dataset become text: fields of every family that reads text. */
export const preparationFields = {
  encoding: choice('detected', ...TEXT_ENCODINGS),
  aozora: flag(false),
  normalise: choice(...NORMALISATIONS),
};
export type PreparationFields = FieldsOf<typeof preparationFields>;

/** How text becomes tokens: fields of every family whose vocabulary is open. */
export const tokenizerFields = {
  tokenizer: choice(...TOKENIZER_KINDS),
  /** Of BPE, at most; a tokenizer of characters has as many tokens as the text has of them. */
  vocab_size: whole(DEFAULT_VOCABULARY, BYTE_TOKENS, MOST_TOKENS),
};

export const textFields = { ...tokenizerFields, ...preparationFields };
export type TextFields = FieldsOf<typeof textFields>;

/** The fields in the words of a corpus. `format` is that of files whose names do not tell. */
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

/** The tokenizer that the fields ask for. */
export function choiceFrom({ tokenizer, vocab_size }: Partial<TextFields>): TokenizerChoice {
  if (tokenizer !== 'bpe') return { kind: 'character' };
  return { kind: 'bpe', vocabulary: vocab_size ?? DEFAULT_VOCABULARY };
}

/** The text fields as a run records them: all, but the size that a tokenizer of characters finds by itself. */
export function recordedText(fields: TextFields): Partial<TextFields> {
  const { vocab_size, ...others } = fields;
  return fields.tokenizer === 'bpe' ? { ...others, vocab_size } : others;
}

/** The text fields among those of a run, whatever its family; those that are not there are left out. */
export function textFieldsAmong(fields: Readonly<Record<string, unknown>>): Partial<TextFields> {
  const present = Object.keys(textFields).filter((name) => fields[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, fields[name]]));
}
