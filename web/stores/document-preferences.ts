import type { PreferenceStore, Theme } from './preferences.ts';

/**
 * Keeps `<html lang data-theme>` in step with the preferences and, while the theme is `system`, with
 * the system's. Returns a function that stops it.
 */
export function applyToDocument(
  { store }: PreferenceStore,
  root: HTMLElement,
  prefersDark: MediaQueryList,
): () => void {
  const apply = () => {
    const { language, theme } = store.getState();
    root.lang = language;
    root.dataset['theme'] = resolveTheme(theme, prefersDark.matches);
  };
  apply();
  const unsubscribe = store.subscribe(apply);
  prefersDark.addEventListener('change', apply);
  return () => {
    unsubscribe();
    prefersDark.removeEventListener('change', apply);
  };
}

function resolveTheme(theme: Theme, systemIsDark: boolean): 'light' | 'dark' {
  if (theme !== 'system') return theme;
  return systemIsDark ? 'dark' : 'light';
}
