import { useMemo } from 'react';
import type { AroundNavHandler } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { isLanguage } from '../i18n/language.ts';
import { LANGUAGE_PARAMETER } from '../stores/preferences.ts';

/** `path` with the page's `?lang=` on it, when there is one: a language once put into the address stays. */
export function keepLanguage(path: string, search: string): string {
  const language = new URLSearchParams(search).get(LANGUAGE_PARAMETER);
  if (!isLanguage(language)) return path;
  const [beforeHash = '', hash] = path.split('#', 2);
  const [pathname = '', query = ''] = beforeHash.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set(LANGUAGE_PARAMETER, language);
  const fragment = hash === undefined ? '' : `#${hash}`;
  return `${pathname}?${parameters.toString()}${fragment}`;
}

/** Wraps every navigation of the router: the language is kept and the new screen starts at its top. */
export const aroundNavigation: AroundNavHandler = (navigate, to, options) => {
  navigate(keepLanguage(to, location.search), options);
  window.scrollTo(0, 0);
};

/** The address that a link shows: the one a click navigates to. */
export function useHrefs(): (path: string) => string {
  const search = useSearch();
  return useMemo(() => (path: string) => keepLanguage(path, search), [search]);
}
