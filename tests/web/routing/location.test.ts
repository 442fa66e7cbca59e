import { describe, expect, it } from 'vitest';
import { fc } from '../seeded.ts';
import { keepLanguage } from '../../../web/routing/location.ts';

describe('keepLanguage', () => {
  it.each([
    ['/models', '', '/models'],
    ['/models', '?type=a', '/models'],
    ['/models', '?lang=xx', '/models'],
    ['/models', '?lang=ja', '/models?lang=ja'],
    ['/models?type=a', '?lang=ja', '/models?type=a&lang=ja'],
    ['/models#top', '?lang=ja', '/models?lang=ja#top'],
    ['/models?lang=en', '?lang=ja', '/models?lang=ja'],
  ])('takes %s on a page with %j to %s', (path, search, expected) => {
    expect(keepLanguage(path, search)).toBe(expected);
  });

  it('changes nothing but the language, and once is enough', () => {
    const query = fc.dictionary(
      fc.stringMatching(/^x[a-z]{0,5}$/),
      fc.string({ unit: 'grapheme' }),
    );
    fc.assert(
      fc.property(query, (parameters) => {
        const path = `/models?${new URLSearchParams(parameters).toString()}`;
        const kept = new URL(keepLanguage(path, '?lang=ja'), 'http://localhost');

        expect(Object.fromEntries(kept.searchParams)).toEqual({ ...parameters, lang: 'ja' });
        expect(keepLanguage(`${kept.pathname}${kept.search}`, '?lang=ja')).toBe(
          `${kept.pathname}${kept.search}`,
        );
      }),
    );
  });
});
