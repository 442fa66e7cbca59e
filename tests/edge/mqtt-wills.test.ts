import { describe, expect, it } from 'vitest';
import { MqttWorld } from './mqtt-world.ts';

const kept = { clean: false, properties: { sessionExpiryInterval: 3600 } };

describe('a client that is silent', () => {
  it('[MQTT-3.1.2-22] for one and a half times its keep alive is gone', () => {
    const world = new MqttWorld();
    const client = world.connect({ keepalive: 10 });
    client.take();

    world.advance(14_999);
    client.send({ cmd: 'pingreq' });
    world.advance(14_999);
    expect(client.take()).toEqual([expect.objectContaining({ cmd: 'pingresp' })]);
    world.advance(1);

    expect(client.take()).toMatchObject([{ cmd: 'disconnect', reasonCode: 0x8d }]);
    expect(client.isOpen).toBe(false);
  });

  it('of 3.1.1 without keep alive is waited for', () => {
    const world = new MqttWorld();
    const client = world.connect({ keepalive: 0, protocolVersion: 4 });

    world.advance(24 * 3600 * 1000);

    expect(client.isOpen).toBe(true);
  });
});

describe('a will', () => {
  const will = { topic: 'gone', payload: 'me', qos: 1 as const };
  const delayed = { ...will, properties: { willDelayInterval: 5 } };
  const heard = (world: MqttWorld) => world.heard.map(({ topic }) => topic);

  it('[MQTT-3.1.2-8] is published when the connection breaks, or is broken', () => {
    const world = new MqttWorld();
    world.connect({ will, clientId: 'a' }).drop();
    const wrong = world.connect({ will, clientId: 'b' });
    wrong.raw([0, 0]);
    world.connect({ will, clientId: 'c', keepalive: 1 });

    world.advance(1500);

    expect(heard(world)).toEqual(['gone', 'gone', 'gone']);
  });

  it('[MQTT-3.1.2-10, 3.14.4-3] goes with a client that leaves in peace, unless it says otherwise', () => {
    const world = new MqttWorld();
    world.connect({ will }).send({ cmd: 'disconnect', reasonCode: 0 });
    expect(heard(world)).toEqual([]);

    world.connect({ will }).send({ cmd: 'disconnect', reasonCode: 4 });

    expect(heard(world)).toEqual(['gone']);
  });

  it('[MQTT-3.1.2-14, 3.1.2-15] is retained where it says so', () => {
    const world = new MqttWorld();
    world.connect({ will: { ...will, retain: true } }).drop();

    const late = world.connect({ clientId: 'late' });
    late.subscribe('gone');

    expect(late.take().at(-1)).toMatchObject({ cmd: 'publish', topic: 'gone', retain: true });
  });

  it('[MQTT-3.1.3-9] waits for its delay, and is not sent where the client comes back before', () => {
    const world = new MqttWorld();
    const options = { ...kept, will: delayed };
    world.connect(options).drop();
    world.advance(4_999);
    const back = world.connect(options);
    world.advance(60_000);
    expect(heard(world)).toEqual([]);
    back.drop();

    world.advance(4_999);
    expect(heard(world)).toEqual([]);
    world.advance(1);
    world.advance(60_000);

    expect(heard(world)).toEqual(['gone']);
  });

  it('with a delay goes out when its session ends before', () => {
    const world = new MqttWorld();

    world.connect({ will: delayed }).drop();

    expect(heard(world)).toEqual(['gone']);
  });

  it('outlives an eviction, and with its session a crash', () => {
    const world = new MqttWorld();
    const short = world.connect({ will, clientId: 'short' });
    const large = { ...will, payload: 'x'.repeat(5000) };
    world.connect({ will: large, clientId: 'large' });
    world.connect({ ...kept, will: delayed, clientId: 'lasting' });

    world.evict();
    short.drop();
    expect(world.heard).toHaveLength(1);
    world.crash();
    expect(world.heard.map(({ payload }) => payload.length)).toEqual([2, 5000]);
    world.advance(5000);

    expect(heard(world)).toEqual(['gone', 'gone', 'gone']);
  });

  it('cannot be left where its client may not publish', () => {
    const world = new MqttWorld();

    const client = world.connect({ will: { ...will, topic: 'heartbeat/somebody-else' } });

    expect(client.take()).toMatchObject([{ cmd: 'connack', reasonCode: 0x87 }]);
  });
});
