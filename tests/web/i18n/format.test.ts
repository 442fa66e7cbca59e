import { describe, expect, it } from 'vitest';
import { fc } from '../seeded.ts';
import { createFormat } from '../../../web/i18n/format.ts';
import { createText } from '../../../web/i18n/text.ts';
import { uptimeText } from '../../../web/i18n/uptime.ts';

const en = createFormat('en', 'UTC');
const ja = createFormat('ja', 'UTC');

describe('format', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1000, '1 kB'],
    // Would round to 1,000 kB, a number nobody writes.
    [999_960, '1 MB'],
    [1_234_567, '1.2 MB'],
    [5e12, '5 TB'],
    [5e15, '5,000 TB'],
  ])('writes %d bytes as %s', (count, expected) => {
    expect(en.bytes(count)).toBe(expected);
  });

  it('never writes a size with four digits before the point below a thousand terabytes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9e14 }), (count) => {
        expect(en.bytes(count)).toMatch(/^\d{1,3}(\.\d)? \w+$/);
      }),
    );
  });

  it('writes what is not a number as a dash', () => {
    expect(en.number(Number.NaN)).toBe('–');
    expect(en.percent(Number.POSITIVE_INFINITY)).toBe('–');
  });

  it('rounds to three significant digits', () => {
    expect([0.000123456, 0.31234, 1.5, 1234.5].map(en.number)).toEqual([
      '0.000123',
      '0.312',
      '1.5',
      '1,230',
    ]);
  });

  const now = new Date('2026-11-20T12:00:00Z');
  it.each([
    ['2026-11-20T12:00:00Z', 'now', '今'],
    ['2026-11-20T11:59:30Z', '30 seconds ago', '30 秒前'],
    ['2026-11-20T11:00:00Z', '1 hour ago', '1 時間前'],
    ['2026-11-19T11:00:00Z', 'yesterday', '昨日'],
    ['2025-10-20T12:00:00Z', 'last year', '昨年'],
  ])('says how long ago %s was', (time, english, japanese) => {
    expect(en.relative(new Date(time), now)).toBe(english);
    expect(ja.relative(new Date(time), now)).toBe(japanese);
  });

  it('writes dates with the zone', () => {
    expect(en.dateTime(now)).toBe('Nov 20, 2026, 12:00 PM UTC');
    expect(ja.dateTime(now)).toBe('2026年11月20日 12:00 UTC');
  });
});

describe('uptimeText', () => {
  it.each([
    [0.9, '0 s'],
    [59, '59 s'],
    [60, '1 min 0 s'],
    [3_600, '1 h 0 min'],
    [90_000, '1 d 1 h'],
  ])('writes %d seconds as %s', (seconds, expected) => {
    expect(uptimeText(createText('en'), seconds)).toBe(expected);
  });
});
