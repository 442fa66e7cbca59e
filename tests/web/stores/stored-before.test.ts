import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { createReportShelf } from '../../../web/evaluation/report-shelf.ts';
import { createPreferences } from '../../../web/stores/preferences.ts';

/** All that commit 040a188 had put into the storage of a browser, by its keys. */
const before = readStored();

const browserStorage = () => {
  const entries = new Map(Object.entries(before));
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
  };
};

describe('a browser that commit 040a188 has written to', () => {
  it('opens in the language and theme that were chosen', () => {
    const { store } = createPreferences({
      storage: browserStorage(),
      languages: ['en'],
      address: () => new URL('http://localhost/'),
      replaceAddress: () => undefined,
    });

    // Neither is what a new browser begins with.
    expect(store.getState()).toEqual({ language: 'ja', theme: 'dark' });
  });

  it('shows the reports of its shelf, every figure of them', () => {
    const { reports } = createReportShelf(browserStorage()).store.getState();

    expect(reports.length).toBeGreaterThan(0);
    expect(reports.map(({ report }) => report)).toEqual(JSON.parse(before['spikegrid.reports']!));
  });

  it('has no other key, so that none is forgotten here', () => {
    expect(Object.keys(before).toSorted()).toEqual([
      'spikegrid.language',
      'spikegrid.reports',
      'spikegrid.theme',
    ]);
  });
});

function readStored(): Readonly<Record<string, string>> {
  const zip = fileURLToPath(new URL('../../data/stored-by-040a188.zip', import.meta.url));
  const files = unzipSync(readFileSync(zip), { filter: ({ name }) => name === 'expected.json' });
  const expected = JSON.parse(new TextDecoder().decode(files['expected.json'])) as {
    readonly storage: Readonly<Record<string, string>>;
  };
  return expected.storage;
}
