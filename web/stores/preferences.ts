import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { isLanguage, preferredLanguage, type Language } from '../i18n/language.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

interface Preferences {
  readonly language: Language;
  readonly theme: Theme;
}

/** Storage of the preferences; tests pass their own. */
interface PreferenceSources {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
  /** `navigator.languages`, best first. */
  readonly languages: readonly string[];
  /** The address of the page, whose `?lang=` wins over what was stored. */
  readonly address: () => URL;
  /** Puts another address in the bar without a new history entry. */
  readonly replaceAddress: (url: URL) => void;
}

export const LANGUAGE_PARAMETER = 'lang';
const LANGUAGE_KEY = 'spikegrid.language';
const THEME_KEY = 'spikegrid.theme';

export interface PreferenceStore {
  readonly store: StoreApi<Preferences>;
  /** Remembers the language and writes it into the address, so that a copied link opens in it. */
  chooseLanguage(language: Language): void;
  chooseTheme(theme: Theme): void;
}

export function createPreferences(sources: PreferenceSources): PreferenceStore {
  const { address, replaceAddress } = sources;
  const store = createStore<Preferences>(() => ({
    language: initialLanguage(sources),
    theme: initialTheme(sources),
  }));

  return {
    store,
    chooseLanguage(language) {
      store.setState({ language });
      remember(sources, LANGUAGE_KEY, language);
      const url = address();
      url.searchParams.set(LANGUAGE_PARAMETER, language);
      replaceAddress(url);
    },
    chooseTheme(theme) {
      store.setState({ theme });
      remember(sources, THEME_KEY, theme);
    },
  };
}

export function usePreference<T>(
  preferences: PreferenceStore,
  selector: (state: Preferences) => T,
): T {
  return useStore(preferences.store, selector);
}

function initialLanguage({ address, storage, languages }: PreferenceSources): Language {
  const asked = address().searchParams.get(LANGUAGE_PARAMETER);
  if (isLanguage(asked)) return asked;
  const stored = recall(storage, LANGUAGE_KEY);
  return isLanguage(stored) ? stored : preferredLanguage(languages);
}

function initialTheme({ storage }: PreferenceSources): Theme {
  const stored = recall(storage, THEME_KEY);
  return THEMES.find((theme) => theme === stored) ?? 'system';
}

function recall(storage: PreferenceSources['storage'], key: string): string | null {
  try {
    return storage.getItem(key);
  } catch {
    // A browser that blocks storage throws on every touch: the choice then lasts for this page.
    return null;
  }
}

function remember({ storage }: PreferenceSources, key: string, value: string): void {
  try {
    storage.setItem(key, value);
  } catch {
    // Full or blocked: see recall.
  }
}
