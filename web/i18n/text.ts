import { en } from './en.ts';
import { createFormat, type Format } from './format.ts';
import { ja } from './ja.ts';
import type { Language } from './language.ts';
import { fill, type HoleArguments, type HoleValue, type Message } from './message.ts';

export type Catalogue = typeof en;
export type TextKey = keyof Catalogue;

/** Keys of messages without holes: what a table of labels may name. */
export type PlainKey = {
  [K in TextKey]: HoleArguments<Catalogue[K]> extends [] ? K : never;
}[TextKey];

/** Everything that is written in one language. Components get it from `useText`, other code as an argument. */
export interface Text {
  readonly language: Language;
  readonly format: Format;
  /**
   * The message for `key` with its holes filled. Numbers are written as the language writes them;
   * a `count` also chooses the plural form.
   */
  t<K extends TextKey>(key: K, ...holes: HoleArguments<Catalogue[K]>): string;
}

const catalogues: Readonly<Record<Language, Readonly<Record<TextKey, Message>>>> = { en, ja };

export function createText(language: Language, timeZone?: string): Text {
  const format = createFormat(language, timeZone);
  const plural = new Intl.PluralRules(language);
  const write = (value: HoleValue) => (typeof value === 'number' ? format.number(value) : value);
  const writeCount = (value: HoleValue) =>
    typeof value === 'number' ? format.integer(value) : value;

  function t(key: TextKey, values: Readonly<Record<string, HoleValue>> = {}): string {
    const message = catalogues[language][key];
    const written = Object.entries(values).map(([name, value]) => [
      name,
      Number.isInteger(value) ? writeCount(value) : write(value),
    ]);
    return fill(formOf(message, values['count'], plural), Object.fromEntries(written));
  }
  // The key decides which holes a call must pass; inside they are one record.
  return { language, format, t: t as Text['t'] };
}

function formOf(message: Message, count: HoleValue | undefined, plural: Intl.PluralRules): string {
  if (typeof message === 'string') return message;
  const isOne = typeof count === 'number' && plural.select(count) === 'one';
  return (isOne ? message.one : undefined) ?? message.other;
}
