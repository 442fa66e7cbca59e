import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wholePattern } from '../../edge/contract/schema-rules.ts';
import { portablePattern } from '../../edge/api-description/portable-pattern.ts';

describe('what was written in one language', () => {
  it.each([
    [
      /^\d\w\S$/,
      '^[0-9][_A-Za-z0-9][^\\t\\n\\u000B\\f\\r \\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000\\uFEFF]$',
    ],
    [/^\P{Cc}+$/u, '^[^\\u0000-\\u001F\\u007F-\\u009F]+$'],
    [/^[^]*[\w.-]\/$/, '^[\\s\\S]*[_A-Za-z0-9.-]/$'],
    [/^.[.]\.$/, '^[^\\n\\r\\u2028\\u2029][.]\\.$'],
    [/^.$/s, '^[\\s\\S]$'],
  ])('is written for all: %s', (pattern, portable) => {
    expect(portablePattern(pattern)).toBe(portable);
  });

  it.each([/^a$/i, /\bword/, /\p{L}/u, /[^\S]/])('is refused where it cannot be: %s', (pattern) => {
    expect(() => portablePattern(pattern)).toThrow(TypeError);
  });

  it('takes the whole numbers of a range and no others', () => {
    const bounds = fc.record({
      least: fc.constantFrom(0 as const, 1 as const),
      most: fc.integer({ min: 1, max: 20_000 }),
    });
    fc.assert(
      fc.property(bounds, fc.integer({ min: 0, max: 30_000 }), ({ least, most }, number) => {
        expect(wholePattern(least, most).test(String(number))).toBe(
          number >= least && number <= most,
        );
      }),
      { numRuns: 2_000 },
    );
  });
});
