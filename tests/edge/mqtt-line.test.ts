import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { MessageFacts, MessageLine } from '../../edge/discovery/contract/message-line.ts';
import { brokerUrl, nodeOptions } from '../../edge/discovery/contract/node-connection.ts';
import { connectLine } from '../../edge/discovery/contract/mqtt/socket-line.ts';
import { type GuardedEdge, startGuardedEdge } from './keys-in-hand.ts';

const SOON = { timeout: 8_000, interval: 20 };

let edge: GuardedEdge;
let key: string;
beforeAll(async () => {
  edge = await startGuardedEdge();
  key = (await edge.keyFor(['infer', 'discovery:read'])).key;
});
afterAll(() => edge[Symbol.asyncDispose]());

const lines: MessageLine[] = [];
afterEach(async () => {
  await Promise.all(lines.splice(0).map((line) => line.end()));
});

/** A line whose socket can be cut off; it comes back after `backMs`. */
async function open(clientId: string, { its = key, backMs = 20 } = {}) {
  const sockets: WebSocket[] = [];
  const url = brokerUrl({ gateway: edge.gateway, namespace: 'lines', region: 'tokyo' });
  const options = { ...nodeOptions(clientId, its), reconnectPeriod: backMs };
  const line = await connectLine(url, options, (address) => {
    const socket = new WebSocket(address, 'mqtt');
    sockets.push(socket);
    return socket;
  });
  lines.push(line);
  const heard: { topic: string; text: string; facts: MessageFacts }[] = [];
  line.onMessage((topic, payload, facts) => {
    heard.push({ topic, text: new TextDecoder().decode(payload), facts });
  });
  return { line, heard, sockets, cut: () => sockets.at(-1)?.close() };
}

const eventually = (check: () => void) => vi.waitFor(check, SOON);

describe('a line of our own', () => {
  it('is ended while it connects again: the socket opens and then closes', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<CloseEvent>();
    const sockets: WebSocket[] = [];
    const url = brokerUrl({ gateway: edge.gateway, namespace: 'lines', region: 'tokyo' });
    const options = { ...nodeOptions('leaver', key), reconnectPeriod: 20 };
    const line = await connectLine(url, options, (address) => {
      const socket = new WebSocket(address, 'mqtt');
      if (sockets.push(socket) === 2) {
        socket.addEventListener('close', resolve);
        queueMicrotask(() => void line.end());
      }
      return socket;
    });

    sockets[0]!.close();

    expect(await closed).toMatchObject({ code: 1000, wasClean: true });
  });

  it('carries requests and answers of any length', async () => {
    const [asking, answering] = [await open('asks'), await open('answers')];
    await asking.line.subscribe('reply/asks', 1);
    await answering.line.subscribe('node/answers/prompt', 1);
    const long = 'spike '.repeat(50_000);
    const correlation = new TextEncoder().encode('7');

    await asking.line.publish('node/answers/prompt', long, {
      qos: 1,
      reply: { topic: 'reply/asks', correlation },
    });

    await eventually(() => expect(answering.heard).toHaveLength(1));
    const [{ text, facts }] = answering.heard as [(typeof answering.heard)[number]];
    expect(text === long).toBe(true);
    expect(facts).toEqual({ responseTopic: 'reply/asks', correlation });
    await answering.line.publish('reply/asks', 'yes', { correlation });
    await eventually(() => {
      expect(asking.heard).toMatchObject([{ topic: 'reply/asks', text: 'yes' }]);
    });
  });

  it('comes back after it was cut, subscribed as before, and sends what was not acknowledged', async () => {
    const [flaky, other] = [await open('flaky'), await open('other')];
    const up = vi.fn<() => void>();
    flaky.line.onUp(up);
    await flaky.line.subscribe('news/#', 1);
    await other.line.subscribe('from/flaky', 1);

    flaky.cut();
    const sent = flaky.line.publish('from/flaky', 'still here', { qos: 1 });
    await sent;
    await eventually(() => expect(up).toHaveBeenCalledTimes(2));

    await eventually(() => expect(other.heard).toMatchObject([{ text: 'still here' }]));
    expect(flaky.sockets).toHaveLength(2);
    // It is subscribed anew once the broker has read so, which a second message may have to wait for.
    await vi.waitFor(async () => {
      await other.line.publish('news/today', 'it is back', { qos: 1 });
      expect(flaky.heard).toContainEqual(expect.objectContaining({ text: 'it is back' }));
    }, SOON);
  });

  it('leaves its will when it is cut, and none when it is ended', async () => {
    const watching = await open('watching');
    await watching.line.subscribe('discovery/#', 1);
    const cut = await open('is-cut', { backMs: 60_000 });
    const ended = await open('is-ended');

    await ended.line.end();
    cut.cut();

    await eventually(() => {
      expect(watching.heard.map(({ topic }) => topic)).toEqual(['discovery/leave/is-cut']);
    });
    await expect(cut.line.publish('x', 'y')).rejects.toThrow('is down');
    await expect(ended.line.publish('x', 'y', { qos: 1 })).rejects.toThrow('x: the line was ended');
  });

  it('says why it is refused', async () => {
    const { line } = await open('reads-not', { its: (await edge.keyFor(['infer'])).key });

    await expect(open('nobody', { its: 'sk_wrong' })).rejects.toThrow(
      /refused nobody: bad user name or password \(0x86\)/,
    );
    await expect(line.subscribe('discovery/#')).rejects.toThrow(
      'discovery/#: not authorized (0x87)',
    );
    await expect(
      connectLine('ws://127.0.0.1:9/mqtt/default/local', nodeOptions('lost')),
    ).rejects.toThrow(/no connection to ws:\/\/127\.0\.0\.1:9/);
  });
});
