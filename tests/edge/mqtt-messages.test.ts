import { describe, expect, it } from 'vitest';
import { couple, MqttWorld, type TestClient } from './mqtt-world.ts';

describe('PUBLISH', () => {
  it.each([0, 1, 2] as const)(
    '[MQTT-4.3] of quality of service %i is answered and handed on as that',
    (qos) => {
      const { reader, writer } = couple('a', 2);

      writer.publish('a', 'x', { qos, ...(qos > 0 && { messageId: 9 }) });

      const answers = {
        0: [],
        1: [{ cmd: 'puback', messageId: 9 }],
        2: [{ cmd: 'pubrec', messageId: 9 }],
      };
      expect(writer.take()).toMatchObject(answers[qos]);
      expect(reader.take()).toMatchObject([{ cmd: 'publish', qos, dup: false, retain: false }]);
    },
  );

  it('[MQTT-3.8.4-8] is handed on with no more than was granted', () => {
    const { reader, writer } = couple('a', 1);

    writer.publish('a', 'x', { qos: 2, messageId: 9 });

    expect(reader.take()).toMatchObject([{ qos: 1 }]);
  });

  it('[MQTT-4.3.3-10, 4.3.3-11] of quality of service 2 is handed on once, until it is released', () => {
    const { world, reader, writer } = couple('a');
    const again = () => writer.publish('a', 'x', { qos: 2, messageId: 9, dup: true });

    again();
    again();
    world.evict();
    again();
    writer.send({ cmd: 'pubrel', messageId: 9 });
    again();

    expect(reader.messages()).toHaveLength(2);
    expect(writer.take().map(({ cmd }) => cmd)).toEqual([
      'pubrec',
      'pubrec',
      'pubrec',
      'pubcomp',
      'pubrec',
    ]);
  });

  it('of which nothing is known is said to be unknown', () => {
    const { writer } = couple('a');

    writer.send({ cmd: 'pubrel', messageId: 4 });
    writer.send({ cmd: 'pubrec', messageId: 5, reasonCode: 0 });

    expect(writer.take()).toMatchObject([
      { cmd: 'pubcomp', messageId: 4, reasonCode: 0x92 },
      { cmd: 'pubrel', messageId: 5, reasonCode: 0x92 },
    ]);
  });

  it('[MQTT-3.3.2-2] to a topic with wildcards ends the connection', () => {
    const { writer } = couple('a');

    writer.publish('a/+');

    expect(writer.take()).toMatchObject([{ cmd: 'disconnect', reasonCode: 0x90 }]);
  });

  it('[MQTT-3.3.2-9] with an alias ends the connection, as none are taken', () => {
    const { writer } = couple('a');

    writer.publish('a', '', { properties: { topicAlias: 1 } });

    expect(writer.take()).toMatchObject([{ cmd: 'disconnect', reasonCode: 0x94 }]);
  });

  it('[MQTT-3.3.4-9] comes in no greater number than its reader takes at once', () => {
    const { reader, writer } = couple('a', 1, { properties: { receiveMaximum: 2 } });
    for (const [i, text] of ['one', 'two', 'three', 'four'].entries()) {
      writer.publish('a', text, { qos: 1, messageId: i + 1 });
    }

    const first = reader.take();
    expect(first).toMatchObject([{ payload: Buffer.from('one') }, { payload: Buffer.from('two') }]);
    reader.send({ cmd: 'puback', messageId: first[0]!.messageId! });

    expect(reader.messages()).toEqual([['a', 'three']]);
  });

  it('[MQTT-3.3.4-7] more than is taken at once of quality of service 2 ends the connection', () => {
    const world = new MqttWorld({ limits: { receiveMaximum: 2 } });
    const writer = world.connect();

    for (const messageId of [1, 2, 3]) writer.publish('a', '', { qos: 2, messageId });

    expect(writer.take().at(-1)).toMatchObject({ cmd: 'disconnect', reasonCode: 0x93 });
  });

  it('[MQTT-3.1.2-24, 3.1.2-25] is left out where it is larger than its reader takes', () => {
    const { world, reader, writer } = couple('a', 1, { properties: { maximumPacketSize: 50 } });

    writer.publish('a', 'x'.repeat(100), { qos: 1, messageId: 1 });
    writer.publish('a', 'x'.repeat(100));
    writer.publish('a', 'small', { qos: 1, messageId: 2 });

    expect(reader.messages()).toEqual([['a', 'small']]);
    expect(world.rows('mqtt_deliveries')).toBe(1);
  });

  it('[MQTT-3.3.2-5, 3.3.2-6] expires, and is delivered with its remaining time', () => {
    const world = new MqttWorld();
    const options = { clientId: 'reader', clean: false, properties: { sessionExpiryInterval: 60 } };
    const reader = world.connect(options);
    reader.subscribe('a', 1);
    reader.drop();
    const writer = world.connect({ clientId: 'writer' });
    for (const [i, seconds] of [5, 20].entries()) {
      writer.publish('a', `${seconds}`, {
        qos: 1,
        messageId: i + 1,
        properties: { messageExpiryInterval: seconds },
      });
    }

    world.advance(8_000);
    const [, ...came] = world.connect(options).take();

    expect(came).toMatchObject([{ properties: { messageExpiryInterval: 12 } }]);
    expect(world.rows('mqtt_deliveries')).toBe(1);
  });

  it('[MQTT-3.3.2-4, 3.3.2-15, 3.3.2-16, 3.3.2-20] retains the properties set by its publisher', () => {
    const { reader, writer } = couple('a', 1);
    const properties = {
      payloadFormatIndicator: true,
      responseTopic: 'answers',
      correlationData: Buffer.from('id'),
      contentType: 'application/json',
      userProperties: { trace: 'abc' },
    };

    writer.publish('a', '{}', { qos: 1, messageId: 1, properties });

    expect(reader.take()).toMatchObject([{ properties }]);
  });
});

describe('a retained message', () => {
  const readNow = (world: MqttWorld, filter: string, more = {}): TestClient => {
    const client = world.connect({ clientId: 'late' });
    client.take();
    client.subscribe(filter, 1, more);
    return client;
  };

  it('[MQTT-3.3.1-5, 3.3.1-12] is the last one, and is marked for who subscribes later', () => {
    const { world, reader, writer } = couple('a/+');
    writer.publish('a/b', 'old', { retain: true });
    writer.publish('a/b', 'new', { retain: true, qos: 1, messageId: 1 });
    expect(reader.take()).toMatchObject([{ retain: false }, { retain: false }]);

    world.crash();

    expect(readNow(world, 'a/#').take()).toMatchObject([
      { cmd: 'suback' },
      { cmd: 'publish', topic: 'a/b', retain: true, payload: Buffer.from('new') },
    ]);
  });

  it('[MQTT-3.3.1-6, 3.3.1-7] is removed by an empty one, which is not retained itself', () => {
    const { world, reader, writer } = couple('a');
    writer.publish('a', 'x', { retain: true });
    writer.publish('a', '', { retain: true });

    expect(readNow(world, 'a').messages()).toEqual([]);
    expect(reader.messages()).toEqual([
      ['a', 'x'],
      ['a', ''],
    ]);
    expect(world.rows('mqtt_retained')).toBe(0);
  });

  it('[MQTT-3.3.1-9 to 3.3.1-11] is sent as the subscription options say', () => {
    const { world, writer } = couple('b');
    writer.publish('a', 'x', { retain: true });
    const counts = [0, 1, 2].map((rh) => {
      const client = readNow(world, 'none');
      const more = { subscriptions: [{ topic: 'a', qos: 0 as const, rh, nl: false, rap: false }] };
      const ask = () => {
        client.subscribe('a', 0, more);
        return client.messages().length;
      };
      return [ask(), ask()];
    });

    expect(counts).toEqual([
      [1, 1],
      [1, 0],
      [0, 0],
    ]);
  });

  it('[MQTT-3.3.1-13] keeps its mark where the subscription wants that', () => {
    const world = new MqttWorld();
    const reader = readNow(world, 'a', {
      subscriptions: [{ topic: 'a', qos: 0, rap: true, rh: 0, nl: false }],
    });

    world.connect({ clientId: 'writer' }).publish('a', 'x', { retain: true });

    expect(reader.take().at(-1)).toMatchObject({ retain: true });
  });

  it('expires', () => {
    const { world, writer } = couple('a');
    writer.publish('a', 'x', { retain: true, properties: { messageExpiryInterval: 5 } });

    world.advance(5_000);

    expect(readNow(world, 'a').messages()).toEqual([]);
    expect(world.rows('mqtt_retained')).toBe(0);
  });

  it('one too many is refused, and not handed on either', () => {
    const world = new MqttWorld({ limits: { retained: 1 } });
    const writer = world.connect();
    writer.publish('a', 'x', { retain: true, qos: 1, messageId: 1 });
    writer.publish('b', 'x', { retain: true, qos: 1, messageId: 2 });
    writer.publish('a', 'y', { retain: true, qos: 1, messageId: 3 });

    expect(writer.take().slice(1)).toMatchObject([
      { messageId: 1 },
      { messageId: 2, reasonCode: 0x97 },
      { messageId: 3 },
    ]);
    expect(world.heard.map(({ topic }) => topic)).toEqual(['a', 'a']);
  });
});
