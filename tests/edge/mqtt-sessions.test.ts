import { describe, expect, it } from 'vitest';
import type { Caller } from '../../edge/http/caller.ts';
import { MqttWorld } from './mqtt-world.ts';

const WEEK_S = 7 * 24 * 3600;
const kept = { clean: false, properties: { sessionExpiryInterval: 3600 } };

describe('CONNECT', () => {
  it('[MQTT-3.1.0-1] comes first', () => {
    const world = new MqttWorld();
    const client = world.open();

    client.send({ cmd: 'pingreq' });

    expect(client.isOpen).toBe(false);
    expect(client.take()).toEqual([]);
  });

  it('[MQTT-3.1.0-2] comes once', () => {
    const client = new MqttWorld().connect();

    client.send({ cmd: 'connect', clientId: 'client', clean: true, protocolVersion: 5 });

    expect(client.take().at(-1)).toMatchObject({ cmd: 'disconnect', reasonCode: 0x82 });
    expect(client.isOpen).toBe(false);
  });

  it('[MQTT-3.1.2-1, 3.1.2-2] is refused in another protocol, and answered in another version', () => {
    const world = new MqttWorld();
    const [older, newer, other] = [world.open(4), world.open(), world.open()];

    older.raw([0x10, 14, 0, 6, ...Buffer.from('MQIsdp'), 3, 2, 0, 0, 0, 0]);
    newer.raw([0x10, 13, 0, 4, ...Buffer.from('MQTT'), 6, 2, 0, 0, 0, 0, 0]);
    other.raw([0x10, 13, 0, 4, ...Buffer.from('MQTX'), 5, 2, 0, 0, 0, 0, 0]);

    expect(older.take()).toMatchObject([{ cmd: 'connack', returnCode: 1 }]);
    expect(newer.take()).toMatchObject([{ cmd: 'connack', reasonCode: 0x84 }]);
    expect(other.take()).toEqual([]);
    expect([older, newer, other].map(({ isOpen }) => isOpen)).toEqual([false, false, false]);
  });

  it('[MQTT-3.1.2-3] has its reserved flag clear', () => {
    const client = new MqttWorld().open();

    client.raw([0x10, 13, 0, 4, ...Buffer.from('MQTT'), 5, 3, 0, 0, 0, 0, 0]);

    expect([client.isOpen, client.packets]).toEqual([false, []]);
  });

  it('[MQTT-3.1.3-6, 3.1.3-7, 3.2.2-16] gives a client without a name one', () => {
    const world = new MqttWorld();

    const named = world.connect({ clientId: '' });

    expect(named.take()).toMatchObject([
      { cmd: 'connack', reasonCode: 0, properties: { assignedClientIdentifier: 'made-1' } },
    ]);
  });

  it('[MQTT-3.1.3-8] of 3.1.1 without a name cannot request a persistent session', () => {
    const client = new MqttWorld().open(4);

    client.raw([0x10, 12, 0, 4, ...Buffer.from('MQTT'), 4, 0, 0, 0, 0, 0]);

    expect(client.take()).toMatchObject([{ cmd: 'connack', returnCode: 2 }]);
  });

  it('[MQTT-3.1.4-3] of the same client takes over, and the other is notified', () => {
    const world = new MqttWorld();
    const first = world.connect();
    first.take();

    const second = world.connect();

    expect(first.take()).toMatchObject([{ cmd: 'disconnect', reasonCode: 0x8e }]);
    expect([first.isOpen, second.isOpen]).toEqual([false, true]);
    expect(world.broker.connected).toBe(1);
  });

  it('cannot take over what is of somebody else, nor come back to it', () => {
    const callers: Caller[] = ['anna', 'ben', 'ben'].map((id) => ({
      kind: 'key',
      id,
      team: 'default',
      scopes: ['admin'],
      until: null,
    }));
    const world = new MqttWorld({ authenticate: () => callers.shift() });
    const annas = world.connect(kept);

    const bens = world.connect();
    annas.drop();
    const later = world.connect(kept);

    for (const client of [bens, later]) {
      expect(client.take()).toMatchObject([{ cmd: 'connack', reasonCode: 0x87 }]);
      expect(client.isOpen).toBe(false);
    }
    expect(annas.take()).toMatchObject([{ cmd: 'connack', reasonCode: 0 }]);
  });

  it('[MQTT-3.1.4-2, 3.1.4-6] is refused where nobody knows the client, whose packets are not looked at', async () => {
    const world = new MqttWorld({ authenticate: async () => undefined });
    const watcher = world;
    const client = watcher.open(4);

    const asked = client.send({ cmd: 'connect', clientId: 'x', clean: true, protocolVersion: 4 });
    client.publish('a', 'too early');
    await asked;

    expect(client.take()).toMatchObject([{ cmd: 'connack', returnCode: 5 }]);
    expect(world.heard).toEqual([]);
  });

  it('may be followed at once, and what follows is looked at once it is accepted', async () => {
    const world = new MqttWorld({
      authenticate: async () => ({ kind: 'local', team: 'default', scopes: ['admin'] }),
    });
    const client = world.open();

    const asked = client.send({ cmd: 'connect', clientId: 'x', clean: true, protocolVersion: 5 });
    client.publish('a', 'one');
    client.publish('a', 'two');
    await asked;

    expect(world.heard.map(({ payload }) => Buffer.from(payload).toString())).toEqual([
      'one',
      'two',
    ]);
  });

  it('with a method of authentication is refused, as there is none here', () => {
    const client = new MqttWorld().connect({ properties: { authenticationMethod: 'SCRAM' } });

    expect(client.take()).toMatchObject([{ cmd: 'connack', reasonCode: 0x8c }]);
  });

  it('[MQTT-3.2.2-21, 3.1.2-21] announces settings that differ from the request', () => {
    const world = new MqttWorld();

    const client = world.connect({ keepalive: 0, properties: { sessionExpiryInterval: WEEK_S } });

    expect(client.take()).toMatchObject([
      {
        properties: { serverKeepAlive: 60, sessionExpiryInterval: 24 * 3600, receiveMaximum: 64 },
      },
    ]);
  });

  it('has to come soon', () => {
    const world = new MqttWorld();
    const client = world.open();

    world.advance(4_999);
    expect(client.isOpen).toBe(true);
    world.advance(1);

    expect(client.isOpen).toBe(false);
  });

  it('is refused once there are as many clients as there may be', () => {
    const world = new MqttWorld({ limits: { clients: 1 } });
    world.connect({ clientId: 'one' });

    expect(world.connect({ clientId: 'two' }).take()).toMatchObject([{ reasonCode: 0x97 }]);
    expect(world.connect({ clientId: 'one' }).take()).toMatchObject([{ reasonCode: 0 }]);
  });
});

describe('a session', () => {
  it('[MQTT-3.1.2-4, 3.2.2-2] is new where the client wants it so', () => {
    const world = new MqttWorld();
    const first = world.connect(kept);
    first.subscribe('a', 1);
    first.drop();

    const second = world.connect({ ...kept, clean: true });
    world.connect({ clientId: 'other' }).publish('a', 'x', { qos: 1, messageId: 1 });

    expect(second.take()).toMatchObject([{ cmd: 'connack', sessionPresent: false }]);
    expect(world.rows('mqtt_subscriptions')).toBe(0);
  });

  // 3.1.1 has no expiry: a session that is not clean lasts as long as the longest here.
  it.each([
    ['5', { ...kept, protocolVersion: 5 as const }],
    ['3.1.1', { clean: false, protocolVersion: 4 as const }],
  ])('[MQTT-3.1.2-5, 3.2.2-3] of MQTT %s goes on, with what was missed meanwhile', (_, options) => {
    const world = new MqttWorld();
    const first = world.connect(options);
    first.subscribe('a', 1);
    first.drop();
    world.connect({ clientId: 'other' }).publish('a', 'missed', { qos: 1, messageId: 1 });

    const second = world.connect(options);

    expect(second.take()).toMatchObject([
      { cmd: 'connack', sessionPresent: true },
      { cmd: 'publish', topic: 'a', qos: 1, dup: false },
    ]);
  });

  it('[MQTT-3.1.2-23] ends after its time, and not before', () => {
    const world = new MqttWorld();
    world.connect(kept).drop();

    world.advance(3_599_999);
    const back = world.connect(kept);
    expect(back.take()).toMatchObject([{ sessionPresent: true }]);
    back.drop();
    world.advance(3_600_000);

    expect(world.connect(kept).take()).toMatchObject([{ sessionPresent: false }]);
  });

  it('[MQTT-4.1.0-1, 4.1.0-2] outlives the memory of the broker, and the broker itself', () => {
    const world = new MqttWorld();
    const first = world.connect(kept);
    first.subscribe('a', 2);
    const other = world.connect({ clientId: 'other' });

    world.evict();
    other.publish('a', 'evicted', { qos: 2, messageId: 7 });
    expect(first.messages()).toEqual([['a', 'evicted']]);
    world.crash();
    const second = world.connect(kept);

    expect(second.take()).toMatchObject([
      { cmd: 'connack', sessionPresent: true },
      { cmd: 'publish', qos: 2, dup: true },
    ]);
  });

  it('without expiry lives as long as its connection, through an eviction, and leaves nothing', () => {
    const world = new MqttWorld();
    const client = world.connect();
    client.subscribe('a/+', 1);
    const other = world.connect({ clientId: 'other' });

    world.evict();
    other.publish('a/b', 'still here', { qos: 1, messageId: 1 });
    expect(client.messages()).toEqual([['a/b', 'still here']]);
    client.drop();

    for (const table of ['sessions', 'subscriptions', 'deliveries', 'received']) {
      expect([table, world.rows(`mqtt_${table}`)]).toEqual([table, 0]);
    }
  });

  it('without expiry is cleared away where a crash has left something of it', () => {
    const world = new MqttWorld();
    world.connect().subscribe('a', 1);
    expect(world.rows('mqtt_subscriptions')).toBe(1);

    world.crash();

    expect(world.rows('mqtt_subscriptions')).toBe(0);
  });

  it('costs no write as long as nothing of it outlasts its connection', () => {
    const world = new MqttWorld();
    const will = { topic: 'discovery/leave/client', payload: '{}', qos: 1 as const };
    const client = world.connect({ will });

    client.publish('heartbeat/client', 'x'.repeat(200));
    client.drop();

    expect(world.heard).toHaveLength(2);
    for (const table of ['sessions', 'subscriptions', 'deliveries', 'retained']) {
      expect(world.rows(`mqtt_${table}`)).toBe(0);
    }
  });

  it('may be given another time at its end, but none where it had none', () => {
    const world = new MqttWorld();
    const properties = { sessionExpiryInterval: 10 };
    world
      .connect({ ...kept, clientId: 'a' })
      .send({ cmd: 'disconnect', reasonCode: 0, properties });
    const none = world.connect({ clientId: 'b' });
    none.take();
    none.send({ cmd: 'disconnect', reasonCode: 0, properties });

    world.advance(10_000);

    expect(world.connect({ ...kept, clientId: 'a' }).take()).toMatchObject([
      { sessionPresent: false },
    ]);
    expect(none.take()).toMatchObject([{ cmd: 'disconnect', reasonCode: 0x82 }]);
  });

  it('goes on in the middle of a packet when the broker was out of memory', () => {
    const world = new MqttWorld();
    const [short, long] = [world.connect({ clientId: 's' }), world.connect({ clientId: 'l' })];
    short.raw([0x30, 5, 0, 1]);
    long.raw([0x30, 0xff, 0x10, 0, 1, 0x61, ...Buffer.alloc(1000)]);

    world.evict();
    short.raw([0x61, 0, 0x68]);
    long.raw([0]);

    expect(world.heard).toMatchObject([{ topic: 'a' }]);
    // A partial packet too long to be stored is lost, and its client is disconnected to learn that.
    expect([short.isOpen, long.isOpen]).toEqual([true, false]);
  });
});
