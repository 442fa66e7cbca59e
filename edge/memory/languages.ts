import type { CausalLanguage } from './contract/causal.ts';

/** By script, of which each of the two has its own; Chinese characters alone count as Japanese. */
const SCRIPTS: Readonly<Record<CausalLanguage, RegExp>> = {
  en: /\p{sc=Latin}/u,
  ja: /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u,
};

/** The languages that some texts are written in, of those that causes are read from. */
export function languagesOf(texts: readonly string[]): CausalLanguage[] {
  const languages = Object.keys(SCRIPTS) as CausalLanguage[];
  return languages.filter((language) => texts.some((text) => SCRIPTS[language].test(text)));
}
