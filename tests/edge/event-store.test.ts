import { describe, expect, it } from 'vitest';
import type { EventType, NewEvent } from '../../edge/events/contract/platform-event.ts';
import { EVENT_RETENTION, EventStore } from '../../edge/events/store.ts';
import { LOG_HUB_MIGRATIONS } from '../../edge/logs/schema.ts';
import { openSql } from './sqlite.ts';

const NOON = Date.UTC(2026, 10, 22, 12);

const event = (type: EventType, id: string): NewEvent => ({
  id,
  type,
  subject: 'x',
  time: '2026-11-22T12:00:00Z',
  data: {},
});

const open = () => new EventStore(openSql(LOG_HUB_MIGRATIONS));

describe('the stored events', () => {
  it('are stored once, however often they are delivered', () => {
    const store = open();
    store.add([event('job.status', 'a')], 1, NOON);

    const fresh = store.fresh([event('job.status', 'a'), event('job.status', 'b')]);

    expect(fresh.map(({ id }) => id)).toEqual(['b']);
  });

  it('of one type do not push out those of another, and what is gone is a gap', () => {
    const store = open();
    const flood = Array.from({ length: EVENT_RETENTION.events }, (_, i) =>
      event('node.status', `n${i}`),
    );
    store.add([event('job.status', 'job'), event('node.status', 'first')], 1, NOON);
    store.add(flood, 3, NOON);

    const { events, gaps, hasMore } = store.page({ types: ['job.status', 'node.status'] }, 0, 2);

    expect(events.map(({ id, seq }) => [id, seq])).toEqual([
      ['job', 1],
      ['n0', 3],
    ]);
    expect(gaps).toEqual([{ type: 'gap', event_type: 'node.status', from_seq: 1, to_seq: 2 }]);
    expect(hasMore).toBe(true);
    expect(store.page({ types: ['job.status'] }, 0, 2).gaps).toEqual([]);
    expect(store.page({ types: ['node.status'] }, 2, 2).gaps).toEqual([]);
  });

  it('go when their time is over', () => {
    const store = open();
    store.add([event('model.alias', 'old')], 7, NOON);
    store.add([event('model.alias', 'new')], 9, NOON + EVENT_RETENTION.ms + 1);

    const { events, gaps } = store.page({ types: ['model.alias'] }, 0, 10);

    expect(events.map(({ id }) => id)).toEqual(['new']);
    expect(gaps).toMatchObject([{ to_seq: 7 }]);
    expect(store.beforeLatest({ types: ['model.alias'] }, 1, 20)).toBe(8);
    expect(store.beforeLatest({ types: ['job.status'] }, 1, 20)).toBe(20);
  });
});
