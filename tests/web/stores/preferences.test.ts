import { describe, expect, it } from 'vitest';
import { applyToDocument } from '../../../web/stores/document-preferences.ts';
import { createPreferences } from '../../../web/stores/preferences.ts';

interface Start {
  readonly address?: string;
  readonly stored?: Readonly<Record<string, string>>;
  readonly languages?: readonly string[];
}

function open({ address = 'http://localhost/models', stored = {}, languages = ['en-US'] }: Start) {
  const storage = new Map(Object.entries(stored));
  let url = new URL(address);
  const preferences = createPreferences({
    storage: {
      getItem: (key) => storage.get(key) ?? null,
      setItem: (key, value) => void storage.set(key, value),
    },
    languages,
    address: () => new URL(url),
    replaceAddress: (next) => (url = next),
  });
  return { preferences, storage, address: () => url.href };
}

const languageOf = (start: Start) => open(start).preferences.store.getState().language;

/** Throws as a browser does on every access to a storage that it blocks. */
function blocked(): never {
  throw new DOMException('denied', 'SecurityError');
}

describe('preferences', () => {
  it('take the language from the address first, then from storage, then from the browser', () => {
    const stored = { 'spikegrid.language': 'en' };

    expect(languageOf({ languages: ['ja'] })).toBe('ja');
    expect(languageOf({ languages: ['ja'], stored })).toBe('en');
    expect(languageOf({ address: 'http://localhost/?lang=ja', stored })).toBe('ja');
    expect(languageOf({ address: 'http://localhost/?lang=xx', stored })).toBe('en');
  });

  it('remember a chosen language and put it into the address, beside what is there', () => {
    const { preferences, storage, address } = open({ address: 'http://localhost/models?type=a#b' });

    preferences.chooseLanguage('ja');

    expect(preferences.store.getState().language).toBe('ja');
    expect(storage.get('spikegrid.language')).toBe('ja');
    expect(address()).toBe('http://localhost/models?type=a&lang=ja#b');
  });

  it('remember a chosen theme, and start as the system does without one', () => {
    const { preferences, storage } = open({});
    expect(preferences.store.getState().theme).toBe('system');

    preferences.chooseTheme('dark');

    expect(open({ stored: Object.fromEntries(storage) }).preferences.store.getState().theme).toBe(
      'dark',
    );
  });

  it('work for the visit where the browser blocks storage', () => {
    const preferences = createPreferences({
      storage: { getItem: blocked, setItem: blocked },
      languages: ['ja'],
      address: () => new URL('http://localhost/'),
      replaceAddress: () => {},
    });

    preferences.chooseTheme('light');

    expect(preferences.store.getState()).toEqual({ language: 'ja', theme: 'light' });
  });
});

/** The system's wish for dark, which a person can change while the page is open. */
function fakeSystem(matches: boolean) {
  const system = new EventTarget() as MediaQueryList & { matches: boolean };
  Object.assign(system, { matches });
  const turn = (dark: boolean) => {
    Object.assign(system, { matches: dark });
    system.dispatchEvent(new Event('change'));
  };
  return { system, turn };
}

const fakeRoot = () => ({ lang: '', dataset: {} }) as unknown as HTMLElement;

describe('the document', () => {
  it('follows the preferences, and the system only while no theme is chosen', () => {
    const { preferences } = open({});
    const { system, turn } = fakeSystem(false);
    const root = fakeRoot();
    applyToDocument(preferences, root, system);
    expect(root).toMatchObject({ lang: 'en', dataset: { theme: 'light' } });

    turn(true);
    expect(root.dataset['theme']).toBe('dark');

    preferences.chooseTheme('light');
    preferences.chooseLanguage('ja');
    turn(true);
    expect(root).toMatchObject({ lang: 'ja', dataset: { theme: 'light' } });
  });

  it('is left alone after the stop', () => {
    const { preferences } = open({});
    const { system, turn } = fakeSystem(false);
    const root = fakeRoot();
    const stop = applyToDocument(preferences, root, system);

    stop();
    turn(true);
    preferences.chooseLanguage('ja');

    expect(root).toMatchObject({ lang: 'en', dataset: { theme: 'light' } });
  });
});
