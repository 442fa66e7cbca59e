import { en } from './en.ts';
import { ja } from './ja.ts';
import type { Language } from './language.ts';
import { createTextOf, type Catalogue, type Catalogues, type TextOf } from './text.ts';
import { useText } from './text-context.ts';

/** The words of the shell and those that a screen brings along in its chunk. */
export type ScreenText<C> = TextOf<Catalogue & C>;

/** Makes the hook that gives a screen its words, in the page's language. */
export function createScreenText<C>(own: Catalogues<C>): () => ScreenText<C> {
  // Not before they are asked for: those that are fetched are empty at first.
  const all = () => ({ en: { ...en, ...own.en }, ja: { ...ja, ...own.ja } });
  const texts = new Map<Language, ScreenText<C>>();
  return function useScreenText() {
    const { language } = useText();
    const known = texts.get(language);
    if (known) return known;
    const text = createTextOf<Catalogue & C>(all() as Catalogues<Catalogue & C>, language);
    texts.set(language, text);
    return text;
  };
}
