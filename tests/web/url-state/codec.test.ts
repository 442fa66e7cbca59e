import { describe, expect, it } from 'vitest';
import { fc } from '../seeded.ts';
import { readFields, writeFields } from '../../../web/url-state/codec.ts';
import { flag, integer, number, oneOf, text } from '../../../web/url-state/fields.ts';

const RULES = ['atan', 'triangle', 'sigmoid'] as const;
const FIELDS = {
  rate: number(0.001, { min: -1, max: 1 }),
  epochs: integer(3, { min: -10, max: 10_000 }),
  rule: oneOf('atan', RULES),
  name: text('', 64),
  live: flag(true),
};
const initial = { rate: 0.001, epochs: 3, rule: 'atan', name: '', live: true };

const values = fc.record({
  rate: fc.double({ min: -1, max: 1, noNaN: true }),
  epochs: fc.integer({ min: -10, max: 10_000 }),
  rule: fc.constantFrom(...RULES),
  // A lone half of a surrogate pair is no character and does not survive any URL.
  name: fc.string({ unit: 'grapheme', maxLength: 20 }),
  live: fc.boolean(),
});

/** Parameters of somebody else, whose names are none of ours. */
const foreign = fc.dictionary(fc.stringMatching(/^x[a-z]{1,5}$/), fc.string({ unit: 'grapheme' }));

describe('the codec', () => {
  it('reads back what it wrote, and leaves the parameters of others alone', () => {
    fc.assert(
      fc.property(values, foreign, (written, others) => {
        const before = `?${new URLSearchParams(others).toString()}`;
        const search = writeFields(FIELDS, written, before);
        const query = new URLSearchParams(search);

        // Zero has no sign in an address.
        expect(readFields(FIELDS, search)).toEqual({ ...written, rate: written.rate + 0 });
        for (const [name, value] of Object.entries(others)) expect(query.get(name)).toBe(value);
      }),
    );
  });

  it('writes the same values in the same way, however often', () => {
    fc.assert(
      fc.property(values, (written) => {
        const once = writeFields(FIELDS, written, '');

        expect(writeFields(FIELDS, readFields(FIELDS, once), once)).toBe(once);
      }),
    );
  });

  it('takes any query string, and what comes out is always valid', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(FIELDS)), fc.string()), (query) => {
        const read = readFields(FIELDS, `?${new URLSearchParams(query).toString()}`);

        expect(read.rate).toBeGreaterThanOrEqual(-1);
        expect(read.rate).toBeLessThanOrEqual(1);
        expect(Number.isInteger(read.epochs)).toBe(true);
        expect(RULES).toContain(read.rule);
        expect(read.name.length).toBeLessThanOrEqual(64);
        expect(typeof read.live).toBe('boolean');
      }),
    );
  });

  it('leaves out what is at its initial value', () => {
    expect(writeFields(FIELDS, readFields(FIELDS, ''), '?rate=0.5&lang=ja')).toBe('?lang=ja');
    expect(writeFields(FIELDS, readFields(FIELDS, ''), '')).toBe('');
  });

  it.each([
    '?rate=2',
    '?rate=0x1',
    '?rate=1e999',
    '?rate=',
    '?rate=NaN',
    '?epochs=1.5',
    '?epochs=99999',
    '?rule=Atan',
    `?name=${'x'.repeat(65)}`,
    '?live=true',
    '?live=',
  ])('holds to the initial value for %s', (search) => {
    expect(readFields(FIELDS, search)).toEqual(initial);
  });

  it('refuses an initial value outside of its own range', () => {
    expect(() => number(2, { min: 0, max: 1 })).toThrow('initial 2 lies outside 0 to 1');
  });
});
