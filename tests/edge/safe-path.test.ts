import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safePathOf } from '../../edge/http/safe-path.ts';

const refusalOf = (path: string) => {
  try {
    safePathOf(`http://host${path}`);
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
  return undefined;
};

describe('a path', () => {
  it.each([
    '/registry/../health',
    '/registry/..',
    '/./health',
    '/registry/%2e%2e/health',
    '/registry/.%2E/health',
    '/registry/%252e%252e/health',
    '/registry/%25252e%25252e/health',
    '/registry/a%2fb',
    '/registry/a%252Fb',
    '/registry/a%5cb',
    '/registry/a\\b',
    '/registry/a%00b',
    '/registry/a%0d%0ab',
    '/registry/%7f',
    '/registry/%',
    '/registry/%zz',
    '/registry/%2525252525252561',
  ])('%s is refused', (path) => {
    expect(refusalOf(path)).toBe('unsafe_path');
  });

  it.each([
    '/',
    '/registry/models',
    '/a..b/c.',
    '/.well-known/x',
    '/%E6%97%A5',
    '/100%25',
    '/a%20b',
    '//a',
  ])('%s is passed on to the letter', (path) => {
    expect(safePathOf(`http://host:8000${path}?q=../%2f#x`)).toBe(path);
  });

  it('is "/" where a URL has none', () => {
    expect(safePathOf('http://host')).toBe('/');
    expect(safePathOf('http://host?a=/../b')).toBe('/');
  });

  it('that passes never climbs, however often it is decoded', () => {
    const piece = fc.constantFrom('.', '..', '/', '\\', 'a', '%2e', '%2f', '%5c', '%25', '%');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const path = `/${pieces.join('')}`;
        if (refusalOf(path) !== undefined) return;
        for (let text = path, last = ''; text !== last;) {
          expect(text.split(/[/\\]/)).not.toContain('..');
          last = text;
          text = text.replace(/%([0-9a-f]{2})/g, (_, hex) =>
            String.fromCharCode(parseInt(hex, 16)),
          );
        }
      }),
      { seed: 3, numRuns: 3000 },
    );
  });
});
