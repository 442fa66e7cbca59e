import { describe, expect, it } from 'vitest';
import { LogList } from '../../edge/logs/contract/log-query.ts';
import { postJson, startEdge } from './harness.ts';
import { listenTo } from './log-listener.ts';
import { dropsOf, has, healthOf, publish } from './log-relay.ts';

describe('a platform whose Redis is away', () => {
  it('counts each message that is over what may wait for it, the oldest', async () => {
    // Nobody listens there.
    const vars = { DISTRIBUTED_WS_REDIS: 'redis://127.0.0.1:1', DISTRIBUTED_WS_REDIS_QUEUE: 3 };
    await using edge = await startEdge({ vars });

    for (const message of ['one', 'two', 'three']) await publish(edge, message);
    expect(await dropsOf(edge)).toBe(0);
    const logs = ['four', 'five'].map((message) => ({ message }));
    await postJson(new URL('/distributed_brain/publish_logs', edge.gateway), { logs });

    expect(await dropsOf(edge)).toBe(2);
    // They are lost to other platforms only.
    const kept = await fetch(new URL('/distributed_brain/logs', edge.gateway));
    expect(LogList.parse(await kept.json()).logs).toHaveLength(5);
  });
});

describe('a platform whose setting names no Redis', () => {
  it('says so, and streams its own log', async () => {
    await using edge = await startEdge({ vars: { DISTRIBUTED_WS_REDIS: 'http://redis' } });
    const listener = await listenTo(edge);
    await publish(edge, 'as ever');

    await listener.next('log', has('as ever'));

    expect(await healthOf(edge)).toMatchObject({
      status: 'degraded',
      detail: expect.stringContaining('misconfigured'),
    });
    listener.socket.close();
  });
});
