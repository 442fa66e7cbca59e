import { en } from '../../i18n/en.ts';
import { ja } from '../../i18n/ja.ts';
import type { Language } from '../../i18n/language.ts';
import { createTextOf, type PlainKeyOf, type TextOf } from '../../i18n/text.ts';
import { useText } from '../../i18n/text-context.ts';
import { enLab } from './words/en-lab.ts';
import { jaLab } from './words/ja-lab.ts';

type LabCatalogue = typeof en & typeof enLab;

/** The words of the shell and those of the lab, which come with its chunk. */
export type LabText = TextOf<LabCatalogue>;
export type LabKey = PlainKeyOf<LabCatalogue>;

const catalogues = { en: { ...en, ...enLab }, ja: { ...ja, ...jaLab } };
const texts = new Map<Language, LabText>();

/** Everything that is written on the lab's screen, in the page's language. */
export function useLabText(): LabText {
  const { language } = useText();
  const known = texts.get(language);
  if (known) return known;
  const text = createTextOf<LabCatalogue>(catalogues, language);
  texts.set(language, text);
  return text;
}
