import type { IPublishPacket } from 'mqtt-packet';
import { describe, expect, it } from 'vitest';
import { couple, MqttWorld, type TestClient } from './mqtt-world.ts';

/* What the interoperability suites of Eclipse Paho ask of a broker (client_test.py for 3.1.1, client_test5.py). */

const LASTING = { clean: false, properties: { sessionExpiryInterval: 99_999 } };

const published = (client: TestClient) =>
  client.take().filter((packet): packet is IPublishPacket => packet.cmd === 'publish');

const connack = (client: TestClient) => client.take().find(({ cmd }) => cmd === 'connack');

describe.each([4, 5] as const)('a client of protocol level %i', (protocolVersion) => {
  const stays = protocolVersion === 5 ? LASTING : { clean: false };

  it('[MQTT-4.7.2-1] publishes and subscribes to topics with a $ that are none of ours', () => {
    const { world, reader, writer } = couple('#', 0, { protocolVersion });
    const named = world.connect({ clientId: 'named', protocolVersion });
    named.subscribe('$TopicA/+');
    named.take();

    writer.publish('$TopicA/B', 'kept', { retain: true });
    const late = world.connect({ clientId: 'late', protocolVersion });
    late.subscribe('$TopicA/#');

    expect(reader.messages()).toEqual([]);
    expect(named.messages()).toEqual([['$TopicA/B', 'kept']]);
    expect(late.messages()).toEqual([['$TopicA/B', 'kept']]);
  });

  it.each(['$SYS/broker/uptime', '$share/group/a'])('may not publish to %s', (topic) => {
    const client = new MqttWorld().connect({ protocolVersion });

    client.publish(topic, 'x');

    expect(client.isOpen).toBe(false);
  });

  it('gets what was queued while it was away, and what it never acknowledged once more', () => {
    const world = new MqttWorld();
    const options = { clientId: 'reader', protocolVersion, ...stays };
    const reader = world.connect(options);
    reader.subscribe('#', 2);
    reader.take();
    const writer = world.connect({ clientId: 'writer', protocolVersion });
    writer.publish('TopicA', 'seen', { qos: 1, messageId: 1 });
    expect(published(reader)).toMatchObject([{ dup: false }]);
    reader.drop();

    writer.publish('TopicA/B', 'late', { qos: 2, messageId: 2 });
    const back = world.connect(options);

    const found = published(back).map(({ topic, dup }) => [topic, dup]);
    expect(found).toEqual([
      ['TopicA', true],
      ['TopicA/B', false],
    ]);
  });

  it('has its retained messages taken away by empty ones', () => {
    const { world, writer } = couple('x', 0, { protocolVersion });
    const topics = ['TopicA', 'TopicA/B', 'Topic/C'];
    const subscribed = (clientId: string) => {
      const client = world.connect({ clientId, protocolVersion });
      client.subscribe('#', 2);
      return published(client);
    };
    for (const [qos, topic] of topics.entries()) {
      writer.publish(topic, 'x', { qos, retain: true, messageId: qos + 1 } as never);
    }
    expect(subscribed('first').map(({ topic, qos, retain }) => [topic, qos, retain])).toEqual(
      topics.map((topic, qos) => [topic, qos, true]),
    );

    for (const topic of topics) writer.publish(topic, '', { retain: true });

    expect(subscribed('second')).toEqual([]);
  });

  it('[MQTT-3.1.2-22] is let go at one and a half times a keep alive of a second, and not before', () => {
    const world = new MqttWorld();
    const will = { topic: 'gone', payload: 'keepalive expiry', qos: 1 as const };
    const client = world.connect({ protocolVersion, keepalive: 1, will });

    world.advance(1_499);
    expect(client.isOpen).toBe(true);
    world.advance(1);

    expect(client.isOpen).toBe(false);
    expect(world.heard).toMatchObject([{ topic: 'gone' }]);
  });
});

describe('the keep alive that is enforced', () => {
  it.each([
    // As the suite asks: 120 s is longer than we wait for anybody.
    [120, 60],
    [0, 60],
    [61, 60],
    [60, undefined],
    [2, undefined],
  ])('[MQTT-3.1.2-21, 3.2.2-22] of MQTT 5 is told: of %i s it is %j', (keepalive, told) => {
    const world = new MqttWorld();
    const client = world.connect({ keepalive });
    const answer = connack(client) as { properties?: { serverKeepAlive?: number } } | undefined;

    expect(answer?.properties?.serverKeepAlive).toBe(told);
    world.advance((told ?? keepalive) * 1_500 - 1);
    expect(client.isOpen).toBe(true);
    world.advance(1);
    expect(client.isOpen).toBe(false);
  });

  it('[MQTT-3.1.2-24 of 3.1.1] is what a client of 3.1.1 requested, as nothing could announce another', () => {
    const world = new MqttWorld();
    const client = world.connect({ protocolVersion: 4, keepalive: 120 });

    world.advance(179_999);
    expect(client.isOpen).toBe(true);
    world.advance(1);
    expect(client.isOpen).toBe(false);
  });
});

describe('an alias of a topic', () => {
  const aliases = (client: TestClient) =>
    published(client).map(({ topic, properties }) => [topic, properties?.topicAlias]);
  const taking = (topicAliasMaximum: number, more: object = {}) => ({
    properties: { topicAliasMaximum, ...more },
  });

  it('[MQTT-3.3.2-8, 3.3.2-10] is sent in place of a topic that was sent with it before', () => {
    const { reader, writer } = couple('#', 2, taking(1));

    for (const qos of [0, 1, 2])
      writer.publish('TopicA', 'x', { qos, messageId: qos + 1 } as never);
    writer.publish('TopicB', 'x');

    expect(aliases(reader)).toEqual([
      ['TopicA', 1],
      ['', 1],
      ['', 1],
      ['TopicB', undefined],
    ]);
  });

  it('[MQTT-3.1.2-26, 3.1.2-27] is not sent to a client that takes none', () => {
    const { reader, writer } = couple('#', 0, taking(0));

    writer.publish('TopicA', 'x');
    writer.publish('TopicA', 'x');

    expect(aliases(reader)).toEqual([
      ['TopicA', undefined],
      ['TopicA', undefined],
    ]);
  });

  it('[MQTT-3.3.2-7] is announced again on a new connection, and after an eviction', () => {
    const options = { clean: false, ...taking(2, { sessionExpiryInterval: 60 }) };
    const { world, reader, writer } = couple('#', 1, options);
    const send = () => writer.publish('TopicA', 'x', { qos: 1, messageId: 1 });
    send();
    expect(aliases(reader)).toEqual([['TopicA', 1]]);

    world.evict();
    send();
    expect(aliases(reader)).toEqual([['TopicA', 1]]);
    reader.drop();
    const back = world.connect({ clientId: 'reader', ...options });

    expect(aliases(back)).toEqual([
      ['TopicA', 1],
      ['', 1],
    ]);
  });

  it('[MQTT-3.1.2-24] is left out where it would make a message too large', () => {
    // 2 bytes of header, 2 + 6 of topic, 1 of properties, and the payload: without an alias it just fits.
    const { reader, writer } = couple('#', 0, taking(1, { maximumPacketSize: 30 }));

    writer.publish('TopicA', 'x'.repeat(19));
    writer.publish('TopicA', 'short');

    expect(aliases(reader)).toEqual([
      ['TopicA', undefined],
      ['TopicA', 1],
    ]);
  });

  it('stands for so many topics at most, whatever a client takes', () => {
    const { reader, writer } = couple('#', 0, taking(65_535));

    for (let i = 0; i < 40; i++) writer.publish(`t/${i}`, 'x');

    expect(aliases(reader).at(-1)).toEqual(['t/39', undefined]);
    writer.publish('t/31', 'x');
    expect(aliases(reader)).toEqual([['', 32]]);
  });
});

describe('a will with a delay', () => {
  const properties = { sessionExpiryInterval: 60 };
  const will = {
    topic: 'gone',
    payload: 'me',
    qos: 1 as const,
    properties: { willDelayInterval: 5, userProperties: { a: '2', c: '3' } },
  };
  const options = { clean: false, properties, will };

  it('[MQTT-3.1.2-8] is published once and in time, though the platform restarts meanwhile', () => {
    const world = new MqttWorld();
    world.connect(options).drop();

    world.advance(3_000);
    world.crash();
    world.advance(1_999);
    expect(world.heard).toEqual([]);
    world.advance(1);
    expect(world.heard).toMatchObject([
      { topic: 'gone', properties: { userProperties: expect.anything() } },
    ]);

    world.crash();
    world.advance(60_000);
    expect(world.heard).toHaveLength(1);
  });

  it('[MQTT-3.1.3-9] is not published for a client that is back in time after a restart of the platform', () => {
    const world = new MqttWorld();
    world.connect(options);

    world.crash();
    world.advance(4_999);
    world.connect(options);
    world.advance(60_000 - 1);

    expect(world.heard).toEqual([]);
  });
});

describe('a reader of MQTT 5', () => {
  it('without a name is given one, by which it comes back', () => {
    const world = new MqttWorld();
    const client = world.connect({ ...LASTING, clientId: '', clean: true });
    const { properties } = connack(client) as { properties: { assignedClientIdentifier: string } };
    client.drop();

    const back = world.connect({ ...LASTING, clientId: properties.assignedClientIdentifier });

    expect(connack(back)).toMatchObject({ sessionPresent: true });
  });

  it('receives the properties of a message: format, user properties, response topic, expiry', () => {
    const { reader, writer } = couple('TopicA', 2);
    const carried = {
      payloadFormatIndicator: true,
      contentType: 'My name',
      userProperties: { a: '2', c: '3' },
      responseTopic: 'TopicB',
      correlationData: Buffer.from('334'),
    };

    writer.publish('TopicA', 'x', {
      qos: 1,
      messageId: 1,
      properties: { ...carried, messageExpiryInterval: 6 },
    });

    const [message] = published(reader);
    expect(message?.properties).toMatchObject({ ...carried, messageExpiryInterval: 6 });
  });

  it('gets what did not expire while it was away', () => {
    const world = new MqttWorld();
    const reader = world.connect({ ...LASTING, clientId: 'reader' });
    reader.subscribe('#', 2);
    reader.drop();
    const writer = world.connect({ clientId: 'writer' });
    for (const [messageId, messageExpiryInterval] of [1, 6, 1, 6].entries()) {
      const more = { qos: messageId < 2 ? 1 : 2, messageId: messageId + 1 };
      writer.publish('TopicA', 'x', { ...more, properties: { messageExpiryInterval } } as never);
    }

    world.advance(3_000);
    const back = published(world.connect({ ...LASTING, clientId: 'reader' }));

    expect(back.map(({ properties }) => properties?.messageExpiryInterval)).toEqual([3, 3]);
  });

  it('has one of the members of a shared subscription read each message', () => {
    const world = new MqttWorld();
    const members = ['a', 'b'].map((clientId) => {
      const client = world.connect({ clientId });
      client.subscribe('$share/sharename/x', 2);
      client.subscribe('TopicA', 2);
      client.take();
      return client;
    });
    const writer = world.connect({ clientId: 'writer' });

    writer.publish('TopicA', 'both', { qos: 1, messageId: 1 });
    expect(members.map((one) => published(one).length)).toEqual([1, 1]);
    for (let i = 0; i < 10; i++) writer.publish('x', String(i), { qos: 2, messageId: i + 1 });

    const counts = members.map((one) => published(one).length);
    expect(counts).toEqual([5, 5]);
  });
});
