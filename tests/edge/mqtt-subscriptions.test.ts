import { describe, expect, it } from 'vitest';
import { couple, MqttWorld } from './mqtt-world.ts';

describe('SUBSCRIBE', () => {
  it('[MQTT-3.8.4-6, 3.8.4-7] is answered filter by filter', () => {
    const { reader } = couple('a');
    const topics = ['a', 'b/#', 'c#', '$SYS/x'];

    reader.send({
      cmd: 'subscribe',
      messageId: 5,
      subscriptions: topics.map((topic) => ({ topic, qos: 2 })),
    });

    expect(reader.take()).toMatchObject([
      { cmd: 'suback', messageId: 5, granted: [2, 2, 0x8f, 0x87] },
    ]);
  });

  it('[MQTT-3.8.4-3] of a filter anew takes the place of the older one', () => {
    const { reader, writer } = couple('a', 0);
    reader.subscribe('a', 1);
    reader.take();

    writer.publish('a', 'x', { qos: 1, messageId: 1 });

    expect(reader.take()).toMatchObject([{ qos: 1 }]);
  });

  it('[MQTT-3.3.4-2 to 3.3.4-4] that overlaps gives one message, with the highest quality and all identifiers', () => {
    const { reader, writer } = couple('none');
    for (const [filter, qos, subscriptionIdentifier] of [
      ['a/#', 0, 7],
      ['a/+', 1, 8],
    ] as const) {
      reader.subscribe(filter, qos, { properties: { subscriptionIdentifier } });
    }
    reader.take();

    writer.publish('a/b', 'x', { qos: 2, messageId: 1 });

    expect(reader.take()).toMatchObject([
      { qos: 1, properties: { subscriptionIdentifier: [7, 8] } },
    ]);
  });

  it('[MQTT-3.8.3-3] leaves out what its client said itself where it wants that', () => {
    const { reader } = couple('none');
    reader.subscribe('a', 0, {
      subscriptions: [{ topic: 'a', qos: 0, nl: true, rap: false, rh: 0 }],
    });
    reader.take();

    reader.publish('a', 'x');

    expect(reader.messages()).toEqual([]);
  });

  it('[MQTT-3.10.4-1, 3.10.4-4] ends with UNSUBSCRIBE', () => {
    const { world, reader, writer } = couple('a');

    reader.send({ cmd: 'unsubscribe', messageId: 3, unsubscriptions: ['a', 'b'] });
    writer.publish('a', 'x');

    expect(reader.take()).toMatchObject([{ cmd: 'unsuback', messageId: 3, granted: [0, 0x11] }]);
    expect(world.rows('mqtt_subscriptions')).toBe(0);
  });

  it('more often than there may be is refused', () => {
    const world = new MqttWorld({ limits: { subscriptionsPerClient: 1 } });
    const client = world.connect();

    for (const filter of ['a', 'b', 'a']) client.subscribe(filter);

    expect(client.take().slice(1)).toMatchObject([
      { granted: [0] },
      { granted: [0x97] },
      { granted: [0] },
    ]);
  });
});

describe('a shared subscription', () => {
  const three = () => {
    const world = new MqttWorld();
    const members = ['a', 'b', 'c'].map((clientId) => {
      const member = world.connect({
        clientId,
        clean: false,
        properties: { sessionExpiryInterval: 60 },
      });
      member.subscribe('$share/workers/jobs/+', 1);
      member.take();
      return member;
    });
    return { world, members, writer: world.connect({ clientId: 'writer' }) };
  };

  it('gives each message to one of its members, in turn', () => {
    const { members, writer } = three();

    for (const n of [1, 2, 3, 4, 5, 6]) writer.publish('jobs/x', `${n}`);

    expect(members.map((member) => member.messages().length)).toEqual([2, 2, 2]);
  });

  it('passes over members that are not connected, and stays through an eviction', () => {
    const { world, members, writer } = three();
    members[1]?.drop();

    world.evict();
    for (const n of [1, 2, 3, 4]) writer.publish('jobs/x', `${n}`, { qos: 1, messageId: n });

    expect(members.map((member) => member.messages().length)).toEqual([2, 0, 2]);
  });

  it('[MQTT-3.8.3-4] is sent nothing of what is retained, and cannot leave out its own', () => {
    const { world, writer } = three();
    writer.publish('jobs/x', 'kept', { retain: true });
    const late = world.connect({ clientId: 'late' });
    late.subscribe('$share/workers/jobs/+');
    expect(late.messages()).toEqual([]);

    late.subscribe('', 0, {
      subscriptions: [{ topic: '$share/workers/jobs/+', qos: 0, nl: true, rap: false, rh: 0 }],
    });

    expect(late.take()).toMatchObject([{ cmd: 'disconnect', reasonCode: 0x82 }]);
  });
});
