import { describe, expect, it } from 'vitest';
import {
  FIELDS,
  graphSearchOf,
  momentAt,
  placeAt,
  PLACES,
  searchOf,
  spanOf,
  startsOf,
  windowOf,
  writeStarts,
} from '../../../../web/screens/memory/memory-fields.ts';
import { fromLocalInput, toLocalInput } from '../../../../web/ui/local-time.ts';
import { readFields, writeFields } from '../../../../web/url-state/codec.ts';

const DAY = 86_400_000;
const FIRST = '2026-01-01T00:00:00.000Z';
const window = { from: Date.parse(FIRST), to: Date.parse(FIRST) + 10 * DAY };

describe('the slider of time', () => {
  it('has now at its end, and the first memory at its start', () => {
    expect(momentAt(PLACES, window)).toBe('');
    expect(momentAt(0, window)).toBe(FIRST);
    expect(placeAt('', window)).toBe(PLACES);
  });

  it('finds the place of each of its moments again', () => {
    for (const place of [0, 1, 499, 999]) {
      expect(placeAt(momentAt(place, window), window)).toBe(place);
    }
  });

  it('stays within its ends for moments outside', () => {
    expect(placeAt('2025-01-01T00:00:00Z', window)).toBe(0);
    expect(placeAt('2027-01-01T00:00:00Z', window)).toBe(PLACES);
  });

  it('spans a moment where nothing is remembered yet', () => {
    const { from, to } = windowOf(null, null, 1_000_000);

    expect(to).toBeGreaterThan(from);
  });

  it('draws what nothing ends up to its end', () => {
    const middle = new Date(window.from + 5 * DAY).toISOString();

    expect(spanOf(middle, null, window)).toEqual([0.5, 1]);
    expect(spanOf(FIRST, middle, window)).toEqual([0, 0.5]);
  });

  it('gives what was typed as local time back', () => {
    expect(fromLocalInput(toLocalInput(FIRST))).toBe(FIRST);
    expect(toLocalInput('')).toBe('');
  });
});

describe('the address of the screen', () => {
  const fields = readFields(FIELDS, '');

  it('keeps causes and effects that hold every sign but a line end', () => {
    const keys = ['a, b & c=d', 'フィルターの詰まり', '100 %'];
    const written = writeFields(FIELDS, { ...fields, start: writeStarts(keys) }, '');

    expect(startsOf(readFields(FIELDS, written))).toEqual(keys);
  });

  it('goes on with the latest sixteen', () => {
    const keys = Array.from({ length: 20 }, (_, i) => `n${i}`);

    expect(startsOf({ ...fields, start: writeStarts(keys) })).toEqual(keys.slice(4));
  });

  it('passes over a moment that is none', () => {
    expect(readFields(FIELDS, '?at=yesterday').at).toBe('');
  });

  it('asks for a list without words and searches with them, in usual signs', () => {
    expect(searchOf(fields)).toEqual({});
    expect(searchOf({ ...fields, q: ' ﾎﾟﾝﾌﾟ ７ ', tags: 'a、b, ,c', min: 0.5, at: FIRST })).toEqual({
      q: 'ポンプ 7',
      strategy: 'hybrid',
      min_score: 0.5,
      tags: ['a', 'b', 'c'],
      as_of: FIRST,
    });
  });

  it('asks for as much of the graph as is chosen', () => {
    expect(graphSearchOf({ ...fields, most: '500', hops: 4 }, ['a'])).toEqual({
      node: ['a'],
      hops: 4,
      direction: 'both',
      limit: 500,
    });
  });
});
