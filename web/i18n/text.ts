import { en } from './en.ts';
import { createFormat, type Format } from './format.ts';
import { ja } from './ja.ts';
import type { Language } from './language.ts';
import { fill, type HoleArguments, type HoleValue, type Message } from './message.ts';

export type Catalogue = typeof en;
/** Keys of messages without holes: what a table of labels may name. */
export type PlainKeyOf<C> = {
  [K in keyof C]: HoleArguments<C[K]> extends [] ? K : never;
}[keyof C];

/** Everything that is written in one language, from a catalogue of messages. */
export interface TextOf<C> {
  readonly language: Language;
  readonly format: Format;
  /**
   * The message for `key` with its holes filled. Numbers are written as the language writes them;
   * a `count` also chooses the plural form.
   */
  t<K extends keyof C>(key: K, ...holes: HoleArguments<C[K]>): string;
}

/** The words of the shell. Components get it from `useText`, other code as an argument. */
export type Text = TextOf<Catalogue>;

/** A catalogue in every language; the compiler holds the others to the English one. */
export type Catalogues<C> = Readonly<Record<Language, { readonly [K in keyof C]: Message }>>;

export function createText(language: Language, timeZone?: string): Text {
  return createTextOf<Catalogue>({ en, ja }, language, timeZone);
}

/** Words from other catalogues: screens that say much bring their own along. */
export function createTextOf<C>(
  catalogues: Catalogues<C>,
  language: Language,
  timeZone?: string,
): TextOf<C> {
  const format = createFormat(language, timeZone);
  const plural = new Intl.PluralRules(language);
  const write = (value: HoleValue) => (typeof value === 'number' ? format.number(value) : value);
  const writeCount = (value: HoleValue) =>
    typeof value === 'number' ? format.integer(value) : value;

  function t(key: keyof C, values: Readonly<Record<string, HoleValue>> = {}): string {
    const message = catalogues[language][key];
    const written = Object.entries(values).map(([name, value]) => [
      name,
      Number.isInteger(value) ? writeCount(value) : write(value),
    ]);
    return fill(formOf(message, values['count'], plural), Object.fromEntries(written));
  }
  // The key decides which holes a call must pass; inside they are one record.
  return { language, format, t: t as TextOf<C>['t'] };
}

function formOf(message: Message, count: HoleValue | undefined, plural: Intl.PluralRules): string {
  if (typeof message === 'string') return message;
  const isOne = typeof count === 'number' && plural.select(count) === 'one';
  return (isOne ? message.one : undefined) ?? message.other;
}
