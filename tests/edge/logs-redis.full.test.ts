import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { LogList } from '../../edge/logs/contract/log-query.ts';
import { type Edge, postJson, startEdge } from './harness.ts';
import { type Listener, listenTo } from './log-listener.ts';
import { dropsOf, has, healthOf, publish } from './log-relay.ts';
import { hasRedis, type RedisProcess, startRedis } from './redis-process.ts';

/** Two platforms that know nothing of each other but the Redis. */
let redis: RedisProcess;
let here: Edge;
let there: Edge;

const SOON = { timeout: 20_000, interval: 100 };

const connected = () =>
  vi.waitFor(async () => {
    for (const edge of [here, there]) {
      expect((await healthOf(edge))?.detail).toContain('shares them through is connected');
    }
  }, SOON);

const messagesOf = ({ frames }: Listener) =>
  frames.flatMap((frame) => (frame.type === 'log' ? [frame.message] : []));

describe.skipIf(!hasRedis)('two platforms with one Redis (needs redis-server)', () => {
  beforeAll(async () => {
    redis = await startRedis();
    const vars = { DISTRIBUTED_WS_REDIS: redis.address, DISTRIBUTED_WS_REDIS_QUEUE: 100 };
    [here, there] = await Promise.all([startEdge({ vars }), startEdge({ vars })]);
    await connected();
  });
  afterAll(async () => {
    for (const edge of [here, there]) await edge[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
  });

  it('receive each message of the other once, and store it', async () => {
    const [atHere, atThere] = [await listenTo(here), await listenTo(there)];

    await publish(here, '発火 from here');
    await publish(there, 'from there');
    for (const listener of [atHere, atThere]) {
      await listener.next('log', has('発火 from here'));
      await listener.next('log', has('from there'));
    }
    // A duplicate of an earlier message would arrive before this one.
    await publish(here, 'the last');
    const own = await atHere.next('log', has('the last'));
    const told = await atThere.next('log', has('the last'));

    expect(messagesOf(atHere).toSorted()).toEqual(['from there', 'the last', '発火 from here']);
    expect(messagesOf(atThere).toSorted()).toEqual(['from there', 'the last', '発火 from here']);
    expect({ ...told, seq: own.seq }).toEqual(own);
    const kept = await fetch(new URL('/distributed_brain/logs?text=発火', there.gateway));
    expect(LogList.parse(await kept.json()).logs).toHaveLength(1);
    for (const listener of [atHere, atThere]) listener.socket.close();
  });

  it('go on by themselves while it is away, and together once it is back', async () => {
    const [atHere, atThere] = [await listenTo(here), await listenTo(there)];
    await redis.kill();
    await vi.waitFor(async () => expect((await healthOf(here))?.status).toBe('degraded'), SOON);

    await publish(here, 'alone');
    await atHere.next('log', has('alone'));
    await redis.revive();
    await connected();
    await publish(here, 'together again');
    for (const listener of [atHere, atThere]) {
      await listener.next('log', has('together again'));
    }

    expect(messagesOf(atHere)).toEqual(['alone', 'together again']);
    // It waited at one side, and the other one may have come back later than that.
    expect(messagesOf(atThere).filter((message) => message === 'alone').length).toBeLessThan(2);
    for (const listener of [atHere, atThere]) listener.socket.close();
  });

  it('count what it does not take any more, and share the rest once it is back', async () => {
    await redis.kill();
    await vi.waitFor(async () => expect((await healthOf(here))?.status).toBe('degraded'), SOON);
    const logs = Array.from({ length: 250 }, (_, i) => ({ message: `m ${i}` }));

    // A hundred wait for it, the latest.
    for (let i = 0; i < 5; i++) {
      await postJson(new URL('/distributed_brain/publish_logs', here.gateway), { logs });
    }

    expect(await dropsOf(here)).toBe(5 * 250 - 100);
    await redis.revive();
    await connected();
    expect(await dropsOf(here)).toBe(5 * 250 - 100);
  });
});
