import { describe, expect, it } from 'vitest';
import { moveCursor, positionAt } from '../../../web/widgets/chart/cursor-keys.ts';
import { toCsv } from '../../../web/widgets/chart/table-data.ts';
import { fc } from '../seeded.ts';

/** Reads CSV as RFC 4180 has it: quotes doubled within quotes, lines ended by CRLF. */
function parseCsv(csv: string): string[][] {
  const cells = [...csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)];
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of cells) {
    rows.at(-1)!.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

describe('toCsv', () => {
  it('is read back cell by cell, whatever is in them', () => {
    const cell = fc.string({ unit: 'grapheme' }).filter((text) => !/^[=+\-@\t\r]/.test(text));
    const row = fc.array(cell, { minLength: 2, maxLength: 2 });
    fc.assert(
      fc.property(row, fc.array(row), (columns, rows) => {
        expect(parseCsv(toCsv({ columns, rows }))).toEqual([columns, ...rows]);
      }),
    );
  });

  it('keeps spreadsheets from taking text for a formula, and numbers as they are', () => {
    expect(toCsv({ columns: ['=1+1'], rows: [['-3.5'], ['-x']] })).toBe("'=1+1\r\n-3.5\r\n'-x\r\n");
  });
});

describe('moving the cursor', () => {
  it.each([
    ['ArrowRight', 4, 5],
    ['ArrowLeft', 4, 3],
    ['PageUp', 4, 14],
    ['PageDown', 4, 0],
    ['Home', 4, 0],
    ['End', 4, 19],
    ['ArrowRight', 19, 19],
    ['ArrowLeft', 0, 0],
  ])('%s from %d goes to %d of 20', (key, from, to) => {
    expect(moveCursor(key, 'horizontal', from, 20)).toBe(to);
  });

  it('starts at the newest and goes up on a vertical axis', () => {
    expect(moveCursor('ArrowDown', 'vertical', null, 20)).toBe(19);
    expect(moveCursor('ArrowUp', 'vertical', 3, 20)).toBe(4);
  });

  it('leaves other keys to the browser, and has nowhere to go without values', () => {
    expect(moveCursor('Tab', 'horizontal', 3, 20)).toBeUndefined();
    expect(moveCursor('ArrowUp', 'horizontal', 3, 20)).toBeUndefined();
    expect(moveCursor('Home', 'horizontal', null, 0)).toBeUndefined();
  });

  it('finds a position under every point', () => {
    const fraction = fc.double({ min: -0.5, max: 1.5, noNaN: true });
    fc.assert(
      fc.property(fraction, fc.integer({ min: 1, max: 1000 }), (at, count) => {
        const position = positionAt(at, count);

        expect(position).toBeGreaterThanOrEqual(0);
        expect(position).toBeLessThan(count);
      }),
    );
  });
});
