import type { ByteSource } from '../data/files/byte-source.ts';
import { CharacterCount } from '../data/text/character-count.ts';
import { prepareText, type TextFormat } from '../data/text/prepared-text.ts';
import { preparationFrom, textFieldsAmong } from './text-fields.ts';
import type { Tokenizer } from '../data/tokenizers/tokenizer.ts';

/** Characters of a text and of a vocabulary that lacks some of them. */
interface VocabularyGap {
  /** Characters that the tokenizer knows. */
  readonly known: string;
  /** Distinct characters of the text. */
  readonly found: string;
}

/** A text prepared as a run would prepare it. */
interface AskedText {
  readonly sources: readonly ByteSource[];
  readonly fields: Readonly<Record<string, unknown>>;
  readonly format?: TextFormat;
}

/**
 * The characters of a text that a model lacks. Undefined if the tokenizer knows all of them; BPE encodes any
 * text. Throws as reading the text does.
 */
export async function vocabularyGap(
  tokenizer: Tokenizer | undefined,
  { sources, fields, format }: AskedText,
): Promise<VocabularyGap | undefined> {
  if (tokenizer?.kind !== 'character') return undefined;
  const count = new CharacterCount();
  const preparation = preparationFrom(textFieldsAmong(fields), format);
  const prepared = await prepareText(sources, preparation);
  for await (const piece of prepared.read()) count.take(piece);
  const found = count.alphabet();
  const isKnown = (character: string) =>
    tokenizer.idOf(character.codePointAt(0) ?? 0) !== undefined;
  if (found.every(isKnown)) return undefined;
  return { known: tokenizer.characters.join(''), found: found.join('') };
}
