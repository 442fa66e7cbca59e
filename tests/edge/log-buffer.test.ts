import { describe, expect, it } from 'vitest';
import type { LogFilter } from '../../edge/logs/contract/log-filter.ts';
import type { NewLogMessage } from '../../edge/logs/contract/log-message.ts';
import { messageOf } from '../../edge/logs/line.ts';
import { LogBuffer } from '../../edge/logs/buffer.ts';
import { LOG_HUB_MIGRATIONS } from '../../edge/logs/schema.ts';
import { LOG_RETENTION, LogStore } from '../../edge/logs/store.ts';
import { openSql } from './sqlite.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const said = (message: string, more: Partial<NewLogMessage> = {}): NewLogMessage => ({
  message,
  level: 'info',
  ...more,
});

/** A store and a buffer over it; `crash` leaves what was written and nothing else. */
function openBuffer() {
  const store = new LogStore(openSql(LOG_HUB_MIGRATIONS));
  let isFull = false;
  const open = () =>
    new LogBuffer(store, (write) => {
      if (isFull) throw new Error('database or disk is full');
      write();
    });
  let buffer = open();
  return {
    store,
    get buffer() {
      return buffer;
    },
    crash: () => (buffer = open()),
    fill: (full: boolean) => (isFull = full),
    add: (messages: readonly NewLogMessage[], now = NOON) =>
      buffer.add(
        messages.map((message) =>
          messageOf(message, { source: 'test', owner: 'local', team: 'default' }, now),
        ),
      ),
  };
}

/** All that a reader of the buffer gets, from a place to the end. */
function readAll(buffer: LogBuffer, from = 0, filter: LogFilter = {}): unknown[] {
  const items: unknown[] = [];
  for (let position = from; ;) {
    const batch = buffer.read(position, filter, 2);
    if (batch.kind === 'hole') {
      const { from_seq: first, to_seq: last, dropped } = batch.hole;
      items.push([first, last, dropped]);
      position = last;
      continue;
    }
    items.push(...batch.lines.map(({ log }) => (log.type === 'log' ? log.message : log.subject)));
    position = batch.upTo;
    if (batch.isEnd) return items;
  }
}

describe('the log buffer', () => {
  it('reads what is written and what waits as one', () => {
    const stage = openBuffer();
    stage.add([said('a'), said('b'), said('c')]);
    stage.buffer.flush(NOON);
    stage.add([said('d'), said('e')]);

    expect(readAll(stage.buffer)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(readAll(stage.buffer, 2)).toEqual(['c', 'd', 'e']);
    expect(stage.buffer.last).toBe(5);
  });

  it('filters by level, source and kind of node', () => {
    const stage = openBuffer();
    stage.add([
      said('a', { level: 'warn', source: 'one', module_type: 'pfc' }),
      said('b', { source: 'one', module_type: 'visual' }),
    ]);
    stage.buffer.flush(NOON);
    stage.add([said('c', { level: 'critical', source: 'two' }), said('d', { source: 'three' })]);

    expect(readAll(stage.buffer, 0, { level: 'warn' })).toEqual(['a', 'c']);
    expect(readAll(stage.buffer, 0, { source: ['one', 'two'] })).toEqual(['a', 'b', 'c']);
    expect(readAll(stage.buffer, 0, { module_type: ['visual'] })).toEqual(['b']);
  });

  it('uses no number again after a crash, and says that something may be missing', () => {
    const stage = openBuffer();
    stage.add([said('a')]);
    stage.buffer.flush(NOON);
    const [lost] = stage.add([said('lost')]);

    stage.crash();
    const [next] = stage.add([said('b')]);

    expect(next?.log.seq).toBeGreaterThan(lost?.log.seq ?? Infinity);
    expect(readAll(stage.buffer)).toEqual(['a', [2, (next?.log.seq ?? 0) - 1, null], 'b']);
  });

  it('has no hole where nobody published any more before it went', () => {
    const stage = openBuffer();
    stage.add([said('a')]);
    stage.buffer.flush(NOON);
    stage.buffer.rest();

    stage.crash();
    stage.add([said('b')]);

    expect(readAll(stage.buffer)).toEqual(['a', 'b']);
    expect(stage.buffer.last).toBe(2);
  });

  it('counts messages the store did not take, and goes on once it takes them again', () => {
    const stage = openBuffer();
    stage.add([said('a')]);
    stage.buffer.flush(NOON);
    stage.fill(true);
    stage.add([said('b'), said('c')]);
    expect(stage.buffer.flush(NOON)).toBe(2);
    stage.add([said('d')]);
    expect(stage.buffer.flush(NOON)).toBe(1);
    expect(readAll(stage.buffer)).toEqual(['a', [2, 4, 3]]);

    stage.fill(false);
    stage.add([said('e')]);
    expect(stage.buffer.flush(NOON)).toBe(0);

    expect(readAll(stage.buffer)).toEqual(['a', [2, 4, 3], 'e']);
    stage.crash();
    expect(readAll(stage.buffer).slice(0, 3)).toEqual(['a', [2, 4, 3], 'e']);
  });

  it('retains what is not too old, and reports what is gone', () => {
    const stage = openBuffer();
    stage.add([said('old'), said('older')]);
    stage.buffer.flush(NOON);
    const later = NOON + LOG_RETENTION.ms + 1;

    stage.add([said('new')], later);
    stage.buffer.flush(later);

    expect(readAll(stage.buffer)).toEqual([[1, 2, null], 'new']);
    expect(stage.store.search({ limit: 10 }, Infinity).logs).toHaveLength(1);
    expect(stage.store.search({ limit: 10, text: 'old' }, Infinity).logs).toEqual([]);
  });
});

describe('the search', () => {
  const messages = [
    said('発火率が閾値を超えた', { event: 'rate_high', trace_id: 't-1' }),
    said('ＬＩＦ　ｎｅｕｒｏｎ fired', { level: 'warn' }),
    said('route "quoted" OR NOT found', { data: { node: 'visual-7' } }),
  ];
  const find = (text: string, more: object = {}) => {
    const stage = openBuffer();
    stage.add(messages);
    stage.buffer.flush(NOON);
    return stage.store.search({ limit: 10, text, ...more }, Infinity).logs.map(({ seq }) => seq);
  };

  it.each([
    ['閾値を超', [1]],
    // Two characters are fewer than the index knows.
    ['発火', [1]],
    ['lif neuron', [2]],
    ['FIRED', [2]],
    ['"quoted" OR', [3]],
    ['visual-7', [3]],
    ['rate_high', [1]],
    ['nothing like it', []],
    ['%', []],
  ])('finds %s', (text, seqs) => {
    expect(find(text)).toEqual(seqs);
  });

  it('takes the latest first, page by page', () => {
    const stage = openBuffer();
    stage.add([said('one x'), said('two'), said('three x'), said('four x')]);
    stage.buffer.flush(NOON);

    const first = stage.store.search({ limit: 2, text: ' x' }, Infinity);
    const second = stage.store.search({ limit: 2, text: ' x' }, first.next ?? 0);

    expect(first.logs.map(({ seq }) => seq)).toEqual([4, 3]);
    expect(second).toMatchObject({ logs: [{ seq: 1 }], next: undefined });
  });

  it('looks for a level, a trace and a time as well', () => {
    expect(find('f', { level: 'warn' })).toEqual([2]);
    expect(find('発火率', { trace_id: 't-2' })).toEqual([]);
    const from = new Date(NOON).toISOString();
    expect(find('発火率', { from })).toEqual([1]);
    expect(find('発火率', { to: from })).toEqual([]);
  });
});
