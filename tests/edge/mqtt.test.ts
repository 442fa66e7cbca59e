import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { generate, type Packet, parser } from 'mqtt-packet';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { problemOf } from './harness.ts';
import { type GuardedEdge, send, startGuardedEdge } from './keys-in-hand.ts';

const stateDir = mkdtempSync(join(tmpdir(), 'spikegrid-mqtt-'));
const SOON = { timeout: 8_000, interval: 50 };

let edge: GuardedEdge;
let key: string;
beforeAll(async () => {
  edge = await startGuardedEdge({ stateDir });
  key = (await edge.keyFor(['infer', 'discovery:read'])).key;
});
const clients: MqttClient[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.endAsync(true)));
});
afterAll(async () => {
  await edge[Symbol.asyncDispose]();
  rmSync(stateDir, { recursive: true });
});

const at = (path: string): string => {
  const url = new URL(path, edge.gateway);
  url.protocol = 'ws:';
  return url.href;
};

/** A client of the package mqtt, with a WebSocket of Node's own. */
async function open(
  clientId: string,
  options: IClientOptions = {},
  path = '/mqtt/brain/tokyo',
): Promise<MqttClient> {
  const client = await connectAsync(
    at(path),
    {
      forceNativeWebSocket: true,
      protocolVersion: 5,
      reconnectPeriod: 0,
      username: 'key',
      password: key,
      clientId,
      ...options,
    },
    false,
  );
  clients.push(client);
  return client;
}

/** The next messages of a client, as topic and text. */
function next(client: MqttClient, count: number): Promise<readonly (readonly [string, string])[]> {
  const { promise, resolve } = Promise.withResolvers<(readonly [string, string])[]>();
  const found: (readonly [string, string])[] = [];
  client.on('message', (topic, payload) => {
    found.push([topic, payload.toString()]);
    if (found.length === count) resolve(found);
  });
  return promise;
}

/** A WebSocket on which packets are written by hand. */
async function openRaw(
  protocols: readonly string[] = [],
  path = '/mqtt/brain/tokyo',
): Promise<{
  readonly socket: WebSocket;
  readonly packets: Packet[];
  readonly closed: Promise<number>;
}> {
  const socket = new WebSocket(at(path), ['mqtt', ...protocols]);
  socket.binaryType = 'arraybuffer';
  const packets: Packet[] = [];
  const read = parser({ protocolVersion: 5 });
  read.on('packet', (packet) => packets.push(packet));
  socket.addEventListener(
    'message',
    ({ data }) => void read.parse(Buffer.from(data as ArrayBuffer)),
  );
  const closed = once(socket, 'close').then(([event]) => (event as CloseEvent).code);
  await once(socket, 'open');
  return { socket, packets, closed };
}

const bytesOf = (packet: Packet) => Uint8Array.from(generate(packet, { protocolVersion: 5 }));

describe('the broker at the edge', () => {
  it.each([4, 5] as const)(
    'serves the client of the package mqtt in version %i',
    async (protocolVersion) => {
      const reader = await open(`reader-${protocolVersion}`, { protocolVersion });
      const writer = await open(`writer-${protocolVersion}`, { protocolVersion });
      await reader.subscribeAsync('room/+/light', { qos: 2 });
      const came = next(reader, 3);

      for (const qos of [0, 1, 2] as const) {
        await writer.publishAsync(`room/${qos}/light`, `v${protocolVersion}`, { qos });
      }

      expect(await came).toEqual(
        [0, 1, 2].map((qos) => [`room/${qos}/light`, `v${protocolVersion}`]),
      );
    },
  );

  it('keeps regions and brains apart', async () => {
    const reader = await open('here');
    await reader.subscribeAsync('#');
    const came = next(reader, 1);
    for (const path of ['/mqtt/brain/oregon', '/mqtt/other/tokyo']) {
      const elsewhere = await open('elsewhere', {}, path);
      await elsewhere.publishAsync('a', path, { qos: 1 });
    }

    await (await open('near')).publishAsync('a', 'here', { qos: 1 });

    expect(await came).toEqual([['a', 'here']]);
  });

  it('[MQTT-6.0.0-1] ends a connection on which a text comes', async () => {
    const { socket, closed } = await openRaw();

    socket.send('CONNECT');

    expect(await closed).toBe(1002);
  });

  it('[MQTT-6.0.0-2] takes packets in whatever frames they come', async () => {
    const { socket, packets } = await openRaw();
    const password = Buffer.from(key);
    const connect = bytesOf({
      cmd: 'connect',
      clientId: 'cut',
      clean: true,
      protocolVersion: 5,
      username: 'u',
      password,
    });

    const all = [...connect, ...bytesOf({ cmd: 'pingreq' }), ...bytesOf({ cmd: 'pingreq' })];
    for (const byte of all.slice(0, -3)) socket.send(Uint8Array.of(byte));
    socket.send(Uint8Array.from(all.slice(-3)));

    await vi.waitFor(
      () => expect(packets.map(({ cmd }) => cmd)).toEqual(['connack', 'pingresp', 'pingresp']),
      SOON,
    );
    socket.close();
  });

  it('ends a connection whose packets are malformed or too large, while others go on', async () => {
    const reader = await open('unmoved');
    await reader.subscribeAsync('still');
    const broken = [
      [0x00, 0x00],
      [0x10, 0xff, 0xff, 0x7f],
      [0xc0, 0x00],
      [0x10, 2, 0, 9],
    ];

    const codes = await Promise.all(
      broken.map(async (bytes) => {
        const { socket, closed } = await openRaw();
        socket.send(Uint8Array.from(bytes));
        return closed;
      }),
    );

    expect(codes).toEqual([1002, 1009, 1002, 1002]);
    const came = next(reader, 1);
    await reader.publishAsync('still', 'here');
    expect(await came).toEqual([['still', 'here']]);
  });

  it('[MQTT-6.0.0-3] refuses a WebSocket that does not say it speaks MQTT', async () => {
    const socket = new WebSocket(at('/mqtt/brain/tokyo'), 'other');

    await once(socket, 'error');
    expect(socket.readyState).not.toBe(WebSocket.OPEN);
  });

  it.each([
    ['no WebSocket', '/mqtt/brain/tokyo', {}],
    ['a name that is none', '/mqtt/Brain!/tokyo', {}],
  ])('refuses %s', async (_, path, headers) => {
    const answer = await send(new URL(path, edge.gateway), { key, headers });

    expect((await problemOf(answer)).code).toBe('invalid_parameter');
  });
});

describe('who may connect', () => {
  it.each([
    ['nobody', { username: undefined, password: undefined }, /not authorized/i],
    ['a key that is none', { password: 'sg_000000000000_x' }, /Bad User Name or Password/i],
  ])('is not %s', async (_, options, message) => {
    await expect(open('x', options as IClientOptions)).rejects.toThrow(message);
  });

  it('is a key that was shown when the WebSocket was opened', async () => {
    const { socket, packets } = await openRaw([`bearer.${Buffer.from(key).toString('base64url')}`]);

    socket.send(
      bytesOf({ cmd: 'connect', clientId: 'by-socket', clean: true, protocolVersion: 5 }),
    );

    await vi.waitFor(() => expect(packets).toMatchObject([{ reasonCode: 0 }]), SOON);
    socket.close();
  });

  it('is not another key under a name that is taken', async () => {
    await open('mine');
    const other = await edge.keyFor(['infer']);

    await expect(open('mine', { password: other.key })).rejects.toThrow(/not authorized/i);
  });
});

describe('before anybody has proved who they are', () => {
  const storedBrokers = () =>
    readdirSync(stateDir, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /Discovery.*\.sqlite$/.test(path),
    ).length;

  it('no object is made: neither for silence, nor for a password that does not hold', async () => {
    await open('there-already');
    const before = storedBrokers();
    const silent = await Promise.all([1, 2, 3].map((i) => openRaw([], `/mqtt/silent-${i}/x`)));
    for (const i of [1, 2, 3]) {
      const password = 'sg_000000000000_x';
      await expect(open('x', { password }, `/mqtt/guessed-${i}/x`)).rejects.toThrow(/password/i);
    }

    expect(await Promise.all(silent.map(({ closed }) => closed))).toEqual([1008, 1008, 1008]);
    expect(before).toBeGreaterThan(0);
    expect(storedBrokers()).toBe(before);
  });

  it('what a client sends behind its CONNECT reaches the broker in its order', async () => {
    const { socket, packets } = await openRaw();
    const password = Buffer.from(key);
    const connect = { cmd: 'connect', clientId: 'eager', clean: true, protocolVersion: 5 } as const;

    socket.send(bytesOf({ ...connect, username: 'u', password }));
    socket.send(
      bytesOf({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: 'e', qos: 1 }] }),
    );
    socket.send(
      bytesOf({
        cmd: 'publish',
        topic: 'e',
        payload: 'x',
        qos: 1,
        messageId: 2,
        dup: false,
        retain: false,
      }),
    );

    await vi.waitFor(
      () =>
        expect(packets.map(({ cmd }) => cmd)).toEqual(
          expect.arrayContaining(['connack', 'suback', 'puback', 'publish']),
        ),
      SOON,
    );
    socket.close();
  });

  it('passwords that do not hold are counted by address, and good ones still let in', async () => {
    const wrong = () =>
      open('x', { password: 'sg_000000000000_x' }).catch((error: Error) => error.message);
    const answers: unknown[] = [];
    for (let i = 0; i < 40; i++) answers.push(await wrong());

    expect(new Set(answers).size).toBeGreaterThan(1);
    await open('good');
  });
});

describe('after a restart', () => {
  it('sessions, what waits for them, and retained messages are there', async () => {
    const lasting = { clean: false, properties: { sessionExpiryInterval: 600 } };
    const reader = await open('lasting', lasting);
    await reader.subscribeAsync('kept/#', { qos: 1 });
    await reader.endAsync();
    const writer = await open('writer');
    await writer.publishAsync('kept/queued', 'one', { qos: 1 });
    await writer.publishAsync('state', 'on', { qos: 1, retain: true });
    // This ends workerd with SIGKILL.
    await edge[Symbol.asyncDispose]();
    await writer.endAsync(true);

    const { admin } = edge;
    edge = { ...(await startGuardedEdge({ stateDir })), admin };
    const back = await openWith(lasting, 'lasting');

    expect(await back.came).toEqual([['kept/queued', 'one']]);
    const state = next(back.client, 1);
    await back.client.subscribeAsync('state');
    expect(await state).toEqual([['state', 'on']]);
  });
});

/** A client that listens before its CONNECT is answered. */
async function openWith(options: IClientOptions, clientId: string) {
  const { connect } = await import('mqtt');
  const client = connect(at('/mqtt/brain/tokyo'), {
    forceNativeWebSocket: true,
    protocolVersion: 5,
    reconnectPeriod: 0,
    username: 'key',
    password: key,
    clientId,
    ...options,
  });
  clients.push(client);
  const came = next(client, 1);
  await new Promise<void>((resolve) => void client.once('connect', () => resolve()));
  return { client, came };
}
