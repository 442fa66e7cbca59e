import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LogBuffer } from '../../../../web/screens/logs/log-buffer.ts';
import { allRows, FoundRows, type LogRows, testOf } from '../../../../web/screens/logs/log-rows.ts';
import { visibleRows } from '../../../../web/ui/virtual-rows.ts';
import { filterOf } from '../../../../web/screens/logs/log-fields.ts';
import {
  clientsOf,
  growthOf,
  withReading,
} from '../../../../web/screens/brain-metrics/metrics-trail.ts';

const line = (message: string, more: object = {}) => ({
  type: 'log' as const,
  id: message,
  seq: 1,
  timestamp: '2026-11-20T10:00:00Z',
  level: 'info' as const,
  source: 'pfc-1',
  module_type: null,
  event: null,
  message,
  data: null,
  trace_id: null,
  owner: 'local',
  team: 'default',
  ...more,
});

const bufferOf = (capacity: number, messages: readonly string[]) => {
  const buffer = new LogBuffer(capacity);
  buffer.push(messages.map((message) => line(message)));
  return buffer;
};

const shown = (buffer: LogBuffer, { start, end, placeOf }: LogRows) =>
  Array.from({ length: end - start }, (_, i) => {
    const item = buffer.at(placeOf(start + i));
    return item?.type === 'log' ? item.message : undefined;
  });

describe('the buffer of the log', () => {
  it('retains the latest lines, each at its previous index', () => {
    const buffer = bufferOf(3, ['a', 'b', 'c', 'd', 'e']);

    expect([buffer.start, buffer.end, buffer.at(1)]).toEqual([2, 5, undefined]);
    expect(buffer.at(4)).toMatchObject({ message: 'e' });
    expect(shown(buffer, allRows(buffer))).toEqual(['c', 'd', 'e']);
  });
});

describe('the search in the lines', () => {
  it.each([
    ['発火', 'text', true],
    ['ｖｉｓｕａｌ', 'text', true],
    ['PFC-1', 'text', true],
    ['a.c', 'text', false],
    ['7[0-9]', 'regex', true],
    ['^発火率', 'regex', true],
    ['gone', 'text', false],
  ] as const)('%s as %s: %s', (searched, mode, expected) => {
    const item = line('発火率 is high', { data: { node: 'visual-77' } });

    expect(testOf(searched, mode)?.(item)).toBe(expected);
  });

  it('refuses what is no expression, and is none where nothing is searched', () => {
    expect(() => testOf('[', 'regex')).toThrow(SyntaxError);
    expect(testOf('', 'regex')).toBeUndefined();
  });

  it('finds what a look at all lines finds, however they come', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.constantFrom('x', 'y', 'xy'))), (pushes) => {
        const buffer = new LogBuffer(5);
        const found = new FoundRows(buffer, testOf('x', 'text')!);
        const all: string[] = [];
        for (const messages of pushes) {
          buffer.push(messages.map((message) => line(message)));
          all.push(...messages);
          const latest = all.slice(-5).filter((message) => message.includes('x'));
          expect(shown(buffer, found.look())).toEqual(latest);
        }
        // A row keeps its number while older ones make room.
        const { start, end } = found.look();
        const hits = all.filter((message) => message.includes('x')).length;
        expect(start).toBeLessThanOrEqual(end);
        expect(end).toBeLessThanOrEqual(hits);
      }),
    );
  });
});

describe('the rows that are drawn', () => {
  it('are those in view with some to spare, and never more than eighty', () => {
    const view = { top: 280_000, height: 600, rowHeight: 28 };

    expect(visibleRows({ start: 0, end: 100_000 }, view)).toEqual({ start: 9992, end: 10_030 });
    expect(visibleRows({ start: 500, end: 505 }, { ...view, top: 0 })).toEqual({
      start: 500,
      end: 505,
    });
    const tall = visibleRows({ start: 0, end: 1000 }, { ...view, top: 0, height: 9000 });
    expect(tall.end - tall.start).toBe(80);
    expect(visibleRows({ start: 0, end: 0 }, view)).toEqual({ start: 0, end: 0 });
  });
});

describe('the filter in the address', () => {
  it('is a list of names for each, and nothing where nothing is written', () => {
    const fields = { level: 'all', source: '', node: '', find: '', mode: 'text' } as const;

    expect(filterOf(fields)).toEqual({});
    expect(filterOf({ ...fields, level: 'warn', source: ' a, b ,', node: 'pfc' })).toEqual({
      level: 'warn',
      source: ['a', 'b'],
      module_type: ['pfc'],
    });
  });
});

describe('the trail of the counters', () => {
  const metrics = (drops: number) => ({
    send_timeouts: 0,
    broadcast_drops: drops,
    persist_drops: 0,
    connected_clients: drops + 1,
    last_update: '2026-11-20T10:00:00Z',
  });

  it('is what each grew by, and goes on where one began anew', () => {
    let trail = withReading([], { at: 0, metrics: metrics(5) });
    for (const [at, drops] of [
      [5, 7],
      [5, 7],
      [10, 2],
    ] as const) {
      trail = withReading(trail, { at, metrics: metrics(drops) });
    }

    expect(growthOf(trail, 'broadcast_drops')).toEqual([
      [5, 2],
      [10, 2],
    ]);
    expect(clientsOf(trail)).toEqual([
      [0, 6],
      [5, 8],
      [10, 3],
    ]);
  });
});
