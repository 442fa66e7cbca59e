import { ARCHITECTURES, type Architecture, familyDescriptions } from '../../engine/index.ts';

type Titles = { readonly [A in Architecture as `architecture.${A}`]: string };

/** Titles of the model families in a language, as strings of a screen. */
export function familyTitles(language: 'en' | 'ja'): Titles {
  const titles = ARCHITECTURES.map(
    (one) => [`architecture.${one}`, familyDescriptions[one].title[language]] as const,
  );
  // Object.fromEntries loses the type of the keys.
  return Object.fromEntries(titles) as Titles;
}
