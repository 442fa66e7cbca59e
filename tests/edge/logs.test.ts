import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LogGap } from '../../edge/logs/contract/log-frames.ts';
import { LogMetrics, type LogMessage, PublishedLog } from '../../edge/logs/contract/log-message.ts';
import { LogList } from '../../edge/logs/contract/log-query.ts';
import { openLogStream, type LogStream } from '../../edge/logs/contract/log-stream.ts';
import { type Edge, postJson, problemOf, startEdge } from './harness.ts';
import { type GuardedEdge, startGuardedEdge } from './keys-in-hand.ts';
import { httpTo, listenTo, streamAt, ticketFor } from './log-listener.ts';
import { bearer, hangUp, openMany, upgrade } from './upgrade.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge[Symbol.asyncDispose]());

const at = (path: string) => new URL(`/distributed_brain${path}`, edge.gateway);

async function publish(body: object): Promise<PublishedLog> {
  const answer = await postJson(at('/publish_log'), body);
  expect(answer.status).toBe(202);
  return PublishedLog.parse(await answer.json());
}

const publishMany = (messages: readonly object[]) =>
  postJson(at('/publish_logs'), { logs: messages });

const metrics = async () => LogMetrics.parse(await (await fetch(at('/metrics'))).json());

async function search(query: Readonly<Record<string, string>>) {
  const answer = await fetch(at(`/logs?${new URLSearchParams(query)}`));
  expect(answer.status).toBe(200);
  return LogList.parse(await answer.json());
}

describe('publishing', () => {
  it('numbers each message and fills in what was left out', async () => {
    const first = await publish({ message: 'plain', trace_id: 'publish-1' });
    const second = await publish({
      message: 'with everything',
      level: 'error',
      source: 'pfc-1',
      module_type: 'pfc',
      event: 'route_chosen',
      data: { target: 'visual' },
      trace_id: 'publish-1',
      timestamp: '2026-11-20T12:00:00+09:00',
    });

    expect(second.seq).toBeGreaterThan(first.seq);
    const { logs } = await search({ trace_id: 'publish-1' });
    expect(logs).toEqual([
      {
        type: 'log',
        id: second.id,
        seq: second.seq,
        timestamp: '2026-11-20T03:00:00.000Z',
        level: 'error',
        source: 'pfc-1',
        module_type: 'pfc',
        event: 'route_chosen',
        message: 'with everything',
        data: { target: 'visual' },
        trace_id: 'publish-1',
        owner: 'local',
        team: 'default',
      },
      expect.objectContaining({
        id: first.id,
        level: 'info',
        source: 'local',
        module_type: null,
        data: null,
      }),
    ]);
  });

  it.each([
    ['validation_failed', { message: 'broken \u{FFFD} text' }],
    ['validation_failed', { message: 'x', data: { deep: ['\u{FFFD}'] } }],
    ['validation_failed', { message: '' }],
    ['validation_failed', { message: 'x', level: 'fatal' }],
    ['validation_failed', { message: 'x', unknown: 1 }],
    ['payload_too_large', { message: 'x'.repeat(65_536) }],
  ])('is refused as %s', async (code, body) => {
    expect((await problemOf(await postJson(at('/publish_log'), body))).code).toBe(code);
  });

  it('refuses bytes that are no UTF-8, and each message of many that is too large', async () => {
    const headers = { 'content-type': 'application/json' };
    const body = Buffer.from([...Buffer.from('{"message":"'), 0xff, ...Buffer.from('"}')]);
    const broken = await fetch(at('/publish_log'), { method: 'POST', headers, body });
    const large = await publishMany([{ message: 'x' }, { message: 'あ'.repeat(22_000) }]);

    expect((await problemOf(broken)).code).toBe('invalid_json');
    expect((await problemOf(large)).detail).toContain('64 KiB');
  });

  it('of many is one order, and one answer', async () => {
    const answer = await publishMany([
      { message: 'one' },
      { message: 'two' },
      { message: 'three' },
    ]);

    expect(answer.status).toBe(202);
    const { first_seq, last_seq, ...rest } = (await answer.json()) as Record<string, number>;
    expect(last_seq).toBe((first_seq ?? 0) + 2);
    expect(rest).toEqual({ accepted: 3, delivered: 0, dropped: 0 });
  });
});

describe('the search', () => {
  it('finds Japanese, page by page, and refuses a cursor of other filters', async () => {
    await publishMany(
      ['膜電位が閾値を超えた', '膜電位は静か', '発火率'].map((message) => ({ message })),
    );

    const first = await search({ text: '膜電位', limit: '1' });
    const second = await search({ text: '膜電位', limit: '1', cursor: first.next_cursor ?? '' });

    expect([first, second].map(({ logs }) => logs[0]?.message)).toEqual([
      '膜電位は静か',
      '膜電位が閾値を超えた',
    ]);
    expect(second.has_more).toBe(false);
    const other = await fetch(at(`/logs?text=x&cursor=${first.next_cursor}`));
    expect((await problemOf(other)).code).toBe('invalid_parameter');
  });
});

describe('the stream', () => {
  it('greets, and sends what is published, a message in a frame', async () => {
    const listener = await listenTo(edge);
    const { seq, ping_s } = await listener.next('hello');
    const published = await publish({ message: 'hello there' });

    const log = await listener.next('log');

    expect(log).toMatchObject({ seq: seq + 1, id: published.id, message: 'hello there' });
    expect(published.delivered).toBeGreaterThanOrEqual(1);
    expect(ping_s).toBeGreaterThan(0);
    listener.say({ type: 'ack', seq: log.seq });
    // The runtime answers this one to the letter, and the hub every other form of it.
    listener.socket.send('{"type":"ping"}');
    await listener.next('pong');
    listener.socket.close();
    await listener.closed;
  });

  it('sends only what its filters let through', async () => {
    const query = { level: 'warn', source: 'a', module_type: 'visual' };
    const listener = await listenTo(edge, query);
    const source = { source: 'a', module_type: 'visual' };
    await publishMany([
      { message: 'too mild', ...source },
      { message: 'other source', ...source, level: 'error', source: 'b' },
      { message: 'other node', level: 'error', source: 'a' },
      { message: 'right', ...source, level: 'critical' },
    ]);

    expect((await listener.next('log')).message).toBe('right');
    listener.socket.close();
  });

  it('goes on after a number, and begins with the latest where none is given', async () => {
    const { seq } = await publish({ message: 'before' });
    await publishMany(Array.from({ length: 150 }, (_, i) => ({ message: `resume ${i}` })));

    const messages: string[] = [];
    const { promise: all, resolve } = Promise.withResolvers<void>();
    const stream = openLogStream({
      http: httpTo(edge),
      from: { streamId: await streamId(), seq },
      take(items) {
        for (const item of items) if (item.type === 'log') messages.push(item.message);
        if (messages.length >= 150) resolve();
      },
    });
    await all;
    stream.close();

    expect(messages).toEqual(Array.from({ length: 150 }, (_, i) => `resume ${i}`));
    const tail = await listenTo(edge, { tail: '2', batch: 'true' });
    await tail.next('log', ({ message }) => message === 'resume 149');
    expect(tail.frames.filter(({ type }) => type === 'log')).toHaveLength(2);
    tail.socket.close();
  });

  it('says what it does not understand, and closes once that is too often', async () => {
    const listener = await listenTo(edge);
    for (const text of ['no JSON', '{"type":"ack"}', 'x'.repeat(2000)]) listener.socket.send(text);
    listener.say({ type: 'ack', seq: 1e9 });
    await listener.next('error', ({ code }) => code === 'invalid_ack');
    expect(listener.frames.filter(({ type }) => type === 'error')).toHaveLength(4);

    for (let i = 0; i < 10; i++) listener.socket.send(new Uint8Array(4));

    expect((await listener.closed)[0]).toBe(1008);
    expect(listener.frames.at(-1)).toMatchObject({ type: 'bye', reason: 'misbehaved' });
  });

  it('ends a client that acknowledges nothing, and another one loses nothing by that', async () => {
    const before = await metrics();
    // It is ended by the time limit of a platform: by a shorter one, while there is still to publish.
    const stalled = await listenTo(edge);
    const { seq: start } = await stalled.next('hello');
    const healthy = await follow();
    // 64 are under way and 256 wait: of these, 80 have no place.
    const count = 400;
    const answers = [];
    for (let i = 0; i < count; i += 100) {
      const messages = Array.from({ length: 100 }, (_, j) => ({ message: `m ${i + j}` }));
      answers.push((await (await publishMany(messages)).json()) as { dropped: number });
      await healthy.until(i + 100);
    }

    expect(await stalled.closed).toEqual([1013, 'send_timeout']);

    const logs = stalled.frames.filter(({ type }) => type === 'log');
    const gaps = stalled.frames.filter((frame): frame is LogGap => frame.type === 'gap');
    const lost = gaps.reduce((sum, { dropped }) => sum + (dropped ?? NaN), 0);
    expect([logs.length, lost, gaps.length]).toEqual([64, count - 64 - 256, 1]);
    expect(gaps[0]).toMatchObject({ from_seq: start + 65, to_seq: start + 64 + lost });
    expect(stalled.frames.at(-1)).toMatchObject({ type: 'bye', reason: 'send_timeout' });
    expect(answers.reduce((sum, { dropped }) => sum + dropped, 0)).toBe(lost);
    expect(healthy.seqs).toEqual(Array.from({ length: count }, (_, i) => start + 1 + i));
    const after = await metrics();
    expect(after.broadcast_drops - before.broadcast_drops).toBe(lost);
    expect(after.send_timeouts - before.send_timeouts).toBe(1);
    expect(Date.parse(after.last_update)).toBeGreaterThan(Date.parse(before.last_update));
    healthy.stream.close();
  });

  it('counts who is connected', async () => {
    const before = (await metrics()).connected_clients;
    const listener = await listenTo(edge);
    expect((await metrics()).connected_clients).toBe(before + 1);

    listener.socket.close();
    await listener.closed;

    expect((await metrics()).connected_clients).toBe(before);
  });
});

/** A client of the library that reads and acknowledges all. */
async function follow() {
  const seqs: number[] = [];
  const arrivals = new EventTarget();
  const live = Promise.withResolvers<void>();
  const stream: LogStream = openLogStream({
    http: httpTo(edge),
    take(items) {
      seqs.push(
        ...items.filter((item): item is LogMessage => item.type === 'log').map(({ seq }) => seq),
      );
      arrivals.dispatchEvent(new Event('some'));
    },
    changed: ({ status }) => status === 'live' && live.resolve(),
  });
  await live.promise;
  const until = async (count: number) => {
    while (seqs.length < count) await once(arrivals, 'some');
  };
  return { seqs, stream, until };
}

async function streamId(): Promise<string> {
  const listener = await listenTo(edge);
  listener.socket.close();
  return (await listener.next('hello')).stream_id;
}

describe('who may follow the log', () => {
  let guarded: GuardedEdge;
  beforeAll(async () => {
    guarded = await startGuardedEdge();
  });
  afterAll(() => guarded[Symbol.asyncDispose]());

  const PROTOCOL = { 'sec-websocket-protocol': 'spikegrid.logs.v1' };

  it('is whoever has a key, in a header or in the subprotocol beside ours', async () => {
    const { key } = await guarded.keyFor(['logs:read']);
    const url = new URL('/ws/distributed_brain/logs', guarded.gateway);
    const encoded = Buffer.from(key).toString('base64url');
    const protocols = { 'sec-websocket-protocol': `spikegrid.logs.v1, bearer.${encoded}` };

    const [byHeader] = await openMany(url, { ...bearer(key), ...PROTOCOL }, 1);
    const [byProtocol] = await openMany(url, protocols, 1);

    for (const one of [byHeader, byProtocol]) {
      expect(one?.headers['sec-websocket-protocol']).toBe('spikegrid.logs.v1');
    }
    hangUp([byHeader!, byProtocol!]);
  });

  it('is refused on this machine without a ticket, though nothing else requires one here', async () => {
    const url = new URL('/ws/distributed_brain/logs', edge.gateway);

    const refused = await upgrade(url, {});

    expect(refused.status).toBe(401);
    expect(refused.body).toContain('"code":"unauthenticated"');
    expect((await problemOf(await fetch(url))).code).toBe('upgrade_required');
  });

  it('uses a ticket once, and from a page of ours', async () => {
    const ticket = await ticketFor(edge);
    const url = streamAt(edge, { ticket });
    url.protocol = 'http:';
    const foreign = await upgrade(streamAtHttp(await ticketFor(edge)), {
      origin: 'http://elsewhere.example',
    });
    const [open] = await openMany(url, {}, 1);

    const again = await upgrade(url, {});

    expect(foreign.status).toBe(403);
    expect(again.status).toBe(401);
    hangUp([open!]);
  });

  const streamAtHttp = (ticket: string) => {
    const url = streamAt(edge, { ticket });
    url.protocol = 'http:';
    return url;
  };

  it('has twenty connections at most', async () => {
    const { key } = await guarded.keyFor(['logs:read']);
    const url = new URL('/ws/distributed_brain/logs', guarded.gateway);
    const open = await openMany(url, bearer(key), 20);

    const refused = await upgrade(url, bearer(key));

    expect(refused.status).toBe(429);
    expect(refused.body).toContain('sockets: This key has 20 of 20');
    hangUp(open);
  });

  it('is closed with 4401 when the key has ended', async () => {
    const { key, key_id } = await guarded.keyFor(['logs:read']);
    const listener = await listenTo({ gateway: guarded.gateway, key });

    await fetch(new URL(`/api/keys/${key_id}`, guarded.gateway), {
      method: 'DELETE',
      headers: bearer(guarded.admin),
    });

    expect(await listener.closed).toEqual([4401, 'credentials_ended']);
    expect(listener.frames.at(-1)).toMatchObject({ type: 'bye', reason: 'credentials_ended' });
  });
});
