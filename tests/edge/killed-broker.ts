import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type IConnackPacket, type MqttClient } from 'mqtt';
import { startControlPlane } from '../../compute/launcher/control-plane.ts';
import {
  brokerUrl,
  clientOptions,
  leaveText,
} from '../../edge/discovery/contract/node-connection.ts';
import { leaveTopic } from '../../edge/discovery/contract/topics.ts';

/** The outcome for the clients of a broker whose runtime was killed and came back. */
export interface AfterTheKill {
  /** Clients that came back to the session that they had. */
  readonly resumed: number;
  /** Those that got the message that was sent to them while they were away or on their way. */
  readonly reached: number;
  /** Messages that were retained and still are. */
  readonly retained: number;
  /** Wills published for clients that have no time to come back, and for those that have. */
  readonly willsAtOnce: number;
  readonly willsDelayed: number;
  /** From the kill until the runtime answers, and until the last client is back, in milliseconds. */
  readonly downMs: number;
  readonly backMs: number;
}

/** Connections that are opened at a time: what is looked at comes later. */
const AT_ONCE = 20;
const PATIENCE_MS = 60_000;

const tagOf = (i: number) => `client-${i}`;
/** Every other client's will waits for it to come back. */
const isDelayed = (i: number) => i % 2 === 0;

/**
 * Connects so many real clients with sessions, wills and retained messages, kills the runtime with
 * SIGKILL, starts it again at the same port, and looks at what they have.
 */
export async function killBrokerOf(count: number): Promise<AfterTheKill> {
  const folder = mkdtempSync(join(tmpdir(), 'spikegrid-killed-'));
  const port = await freePort();
  const start = () => startPlane(folder, port);
  const ending: MqttClient[] = [];
  let plane = await start();
  try {
    const url = brokerUrl({ gateway: `http://127.0.0.1:${port}`, namespace: 'k', region: 'tokyo' });
    const open = async (id: string, more = {}) => {
      const client = connect(url, {
        ...clientOptions(id),
        ...LASTING,
        // A thousand that try at once keep this process from starting the runtime again.
        reconnectPeriod: 200 + 2 * count,
        ...more,
      });
      ending.push(client);
      // Who is not answered in time tries again.
      client.on('error', () => {});
      await connected(client);
      return client;
    };
    const watcher = await open('watcher');
    const wills = new Set<string>();
    watcher.on('message', (topic) => void wills.add(topic));
    await watcher.subscribeAsync('discovery/leave/+', { qos: 1 });
    const got = new Set<number>();
    const clients = await inBatches(count, async (i) => {
      const client = await open(tagOf(i), { will: willOf(i) });
      client.on('message', () => void got.add(i));
      await client.subscribeAsync(`work/${tagOf(i)}`, { qos: 1 });
      await client.publishAsync(`state/${tagOf(i)}`, 'here', { qos: 1, retain: true });
      return client;
    });
    const back = clients.map(connected);

    const killedAt = performance.now();
    await plane.dispose();
    plane = await start();
    const downMs = performance.now() - killedAt;
    const sender = await open('sender');
    for (let i = 0; i < count; i++) {
      await sender.publishAsync(`work/${tagOf(i)}`, 'for you', { qos: 1 });
    }
    const connacks = await Promise.all(back);
    const backMs = performance.now() - killedAt;
    await until(() => got.size === count);
    const retained = new Set<string>();
    sender.on('message', (topic) => void retained.add(topic));
    await sender.subscribeAsync('state/+', { qos: 1 });
    await until(() => retained.size === count);
    const told = (wanted: boolean) => (_: unknown, i: number) =>
      isDelayed(i) === wanted && wills.has(leaveTopic(tagOf(i)));
    return {
      resumed: connacks.filter(({ sessionPresent }) => sessionPresent).length,
      reached: got.size,
      retained: retained.size,
      willsAtOnce: clients.filter(told(false)).length,
      willsDelayed: clients.filter(told(true)).length,
      downMs,
      backMs,
    };
  } finally {
    await Promise.all(ending.map((client) => client.endAsync(true)));
    await plane.dispose();
    rmSync(folder, { recursive: true });
  }
}

/** The CONNACK of a client's next connection. */
function connected(client: MqttClient): Promise<IConnackPacket> {
  return new Promise((resolve) => void client.once('connect', resolve));
}

/** A session that outlasts its connection. It subscribes once: what it gets later is of that session. */
const LASTING = {
  clean: false,
  resubscribe: false,
  keepalive: 60,
  connectTimeout: 60_000,
  properties: { sessionExpiryInterval: 600 },
};

const willOf = (i: number) => ({
  ...{ topic: leaveTopic(tagOf(i)), payload: leaveText(tagOf(i)), qos: 1, retain: false },
  ...(isDelayed(i) && { properties: { willDelayInterval: 300 } }),
});

const startPlane = (stateDir: string, port: number) =>
  startControlPlane({
    configPath: fileURLToPath(new URL('../../wrangler.toml', import.meta.url)),
    host: '127.0.0.1',
    sockets: [{ entrypoint: 'GatewayService', port }],
    stateDir,
    dashboardDir: stateDir,
    vars: { AUTH_MODE: 'local' },
  });

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function inBatches<T>(count: number, open: (i: number) => Promise<T>): Promise<T[]> {
  const opened: T[] = [];
  for (let i = 0; i < count; i += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - i) }, (_, k) => open(i + k));
    opened.push(...(await Promise.all(some)));
  }
  return opened;
}

/** Waits for what should come, for as long as it may take. */
async function until(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!isSo() && Date.now() < deadline) await sleep(50);
}
