import { describe, expect, it } from 'vitest';
import type { Scope } from '../../edge/contract/scope.ts';
import type { Caller } from '../../edge/http/caller.ts';
import { MqttWorld } from './mqtt-world.ts';

describe('what a client may say and read', () => {
  const as = (...scopes: Scope[]) => {
    const caller: Caller = { kind: 'key', id: 'k', team: 'default', scopes, until: null };
    const world = new MqttWorld({ authenticate: () => caller });
    const client = world.connect({ clientId: 'node-1' });
    client.take();
    return { world, client };
  };
  const announcement = (id: string) =>
    JSON.stringify({ node_id: id, module_type: 'audio', host: 'h', metadata: {} });

  it.each([
    ['heartbeat/node-1', '{}', true],
    ['heartbeat/node-2', '{}', false],
    ['heartbeat/node-1/x', '{}', false],
    ['discovery/leave/node-1', '{}', true],
    ['discovery/leave/node-2', '{}', false],
    ['discovery/announce', announcement('node-1'), true],
    ['discovery/announce', announcement('node-2'), false],
    ['discovery/announce', 'no JSON', false],
    ['discovery/other', '{}', false],
    ['$SYS/x', '{}', false],
    ['node/node-2/prompt', '{}', true],
  ])('of a node: %s with %s: %s', (topic, text, isAllowed) => {
    const { world, client } = as('infer');

    client.publish(topic, text, { qos: 1, messageId: 1 });

    expect(client.take()).toMatchObject(
      [{ cmd: 'puback', reasonCode: isAllowed ? 0 : 0x87 }].map(({ cmd, reasonCode }) =>
        reasonCode ? { cmd, reasonCode } : { cmd },
      ),
    );
    expect(world.heard).toHaveLength(isAllowed ? 1 : 0);
  });

  it('ends the connection where no response could say that it may not', () => {
    const { client } = as('infer');

    client.publish('heartbeat/node-2', '{}');

    expect(client.take()).toMatchObject([{ cmd: 'disconnect', reasonCode: 0x87 }]);
  });

  it.each([
    [['discovery:read'], [0, 0, 0x87, 0x87, 0x87]],
    [['infer'], [0x87, 0x87, 0, 0x87, 0x87]],
    [
      ['infer', 'discovery:read'],
      [0, 0, 0, 0, 0x87],
    ],
    [['metrics:read'], [0x87, 0x87, 0x87, 0x87, 0x87]],
    [['admin'], [0, 0, 0, 0, 0x87]],
  ] as const)('with the scopes %j is %j', (scopes, granted) => {
    const { client } = as(...scopes);

    const topics = ['heartbeat/+', '$share/g/discovery/#', 'pfc/text_prompt', '#', '$SYS/#'];
    client.send({
      cmd: 'subscribe',
      messageId: 1,
      subscriptions: topics.map((topic) => ({ topic, qos: 0 })),
    });

    expect(client.take()).toMatchObject([{ granted }]);
  });

  it('publishes nothing that may read only', () => {
    const { client } = as('discovery:read');

    client.publish('heartbeat/node-1', '{}');

    expect(client.isOpen).toBe(false);
  });

  it('ends with its credentials', () => {
    let until = 0;
    const world = new MqttWorld({
      authenticate: () => ({ kind: 'token', id: 't', team: 'default', scopes: ['infer'], until }),
    });
    until = world.now + 1_000;
    const client = world.connect();

    world.advance(1_000);

    expect(client.take().at(-1)).toMatchObject({ cmd: 'disconnect', reasonCode: 0x87 });
  });
});

describe('credentials that were revoked', () => {
  it('end the connections that were opened with them, and no others', () => {
    const owners = ['anna', 'ben'];
    const world = new MqttWorld({
      authenticate: () => ({
        kind: 'key',
        id: owners.shift() ?? '',
        team: 'default',
        scopes: ['infer'],
        until: null,
      }),
    });
    const [annas, bens] = [world.connect({ clientId: 'a' }), world.connect({ clientId: 'b' })];

    world.broker.endCallers((caller) => 'id' in caller && caller.id !== 'anna');

    expect(annas.take().at(-1)).toMatchObject({ cmd: 'disconnect', reasonCode: 0x87 });
    expect([annas.isOpen, bens.isOpen]).toEqual([false, true]);
  });
});

describe('a client that means no good', () => {
  it('and sends too large a packet is refused before the packet is complete', () => {
    const world = new MqttWorld({ limits: { packetBytes: 100 } });
    const client = world.connect();
    client.take();

    client.raw([0x30, 0xff, 0xff, 0x7f]);

    expect(client.take()).toMatchObject([{ cmd: 'disconnect', reasonCode: 0x95 }]);
    expect(client.closedWith?.[0]).toBe(1009);
  });

  it('and sends too much before it is known is let go', () => {
    const world = new MqttWorld();
    const client = world.open();

    client.raw([0x10, 0xff, 0xff, 0x7f]);

    expect(client.isOpen).toBe(false);
  });

  it('and sends too often is disconnected, while others are served', () => {
    const world = new MqttWorld({ limits: { packetsPerSecond: 10, packetBurst: 20 } });
    const [flood, other] = [
      world.connect({ clientId: 'flood' }),
      world.connect({ clientId: 'other' }),
    ];
    flood.take();

    for (let i = 0; i < 50; i++) flood.publish('a', `${i}`);
    other.publish('b');

    expect(world.heard.map(({ topic }) => topic)).toEqual([
      ...Array.from({ length: 19 }, () => 'a'),
      'b',
    ]);
    expect(flood.take()).toMatchObject([{ cmd: 'disconnect', reasonCode: 0x96 }]);
  });

  it('and never reads has a bounded queue, and only so much sent to it', () => {
    const world = new MqttWorld({ limits: { queuedPerClient: 3, unansweredBytes: 100 } });
    const deaf = world.connect({ clientId: 'deaf' });
    deaf.subscribe('certain', 1);
    deaf.subscribe('maybe', 0);
    deaf.take();
    const writer = world.connect({ clientId: 'writer' });

    for (const n of [1, 2, 3, 4, 5]) writer.publish('certain', `${n}`, { qos: 1, messageId: n });
    for (const n of [1, 2, 3, 4, 5]) writer.publish('maybe', 'x'.repeat(30) + n);

    expect(deaf.messages().map(([, text]) => text.slice(-1))).toEqual(['1', '2', '3', '1', '2']);
    expect(world.broker.takeCounters()).toEqual({ dropped: 5, published: 10 });
    expect(world.broker.takeCounters()).toEqual({ dropped: 0, published: 0 });
    deaf.send({ cmd: 'pingreq' });
    writer.publish('maybe', 'again');
    expect(deaf.messages()).toEqual([['maybe', 'again']]);
  });
});
