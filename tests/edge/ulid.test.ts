import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ulid } from '../../edge/http/ulid.ts';

describe('a ULID', () => {
  it('has the form of the specification', () => {
    expect(ulid(0)).toMatch(/^0{10}[0-9A-HJKMNP-TV-Z]{16}$/);
    // The time of the example in the specification.
    expect(ulid(1_469_918_176_385)).toMatch(/^01ARYZ6S41/);
  });

  it('sorts by the time it was made at', () => {
    const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });
    fc.assert(
      fc.property(time, time, (a, b) => {
        fc.pre(a < b);
        expect(ulid(a) < ulid(b)).toBe(true);
      }),
      { seed: 48 },
    );
  });

  it('is another one each time', () => {
    expect(new Set(Array.from({ length: 1000 }, () => ulid(0))).size).toBe(1000);
  });
});
