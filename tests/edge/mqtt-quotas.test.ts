import type { Login } from '../../edge/discovery/mqtt/ports.ts';
import { describe, expect, it } from 'vitest';
import type { Scope } from '../../edge/contract/scope.ts';
import type { Caller } from '../../edge/http/caller.ts';
import { MqttWorld } from './mqtt-world.ts';

const callerOf = (id: string, ...scopes: Scope[]): Caller => ({
  kind: 'key',
  ...{ id, team: 'default', scopes, until: null },
});
/** The owner is the user name of the CONNECT; the user name `admin` is the administrator. */
const named = ({ username = '' }: Login): Caller =>
  username === 'admin' ? callerOf(username, 'admin') : callerOf(username, 'infer');

const worldOf = (quotas: object) => new MqttWorld({ authenticate: named, quotas });
const sessions = { mqtt_sessions: { owner: 2, team: 3 } };
const KEPT = { clean: true, properties: { sessionExpiryInterval: 3600 } } as const;

const join = (world: MqttWorld, username: string, clientId: string, more: object = {}) => {
  const client = world.connect({ username, clientId, ...KEPT, ...more });
  return { client, answer: client.take()[0] };
};

describe('the sessions of a key', () => {
  it('are as many as it may have: one more is answered 0x97 and why, and one that is known is not', () => {
    const world = worldOf(sessions);
    for (const id of ['a', 'b']) join(world, 'anna', id);

    const { client, answer } = join(world, 'anna', 'c');
    const again = join(world, 'anna', 'a');

    expect(answer).toMatchObject({ cmd: 'connack', reasonCode: 0x97 });
    expect(answer).toMatchObject({
      properties: { reasonString: expect.stringMatching(/^mqtt_sessions: This key has 2 of 2/) },
    });
    expect(client.closedWith).toEqual([1008, expect.stringContaining('2 of 2')]);
    expect(again.answer).toMatchObject({ cmd: 'connack', reasonCode: 0 });
  });

  it('are refused in version 3.1.1 with "server unavailable", the only name that has for it', () => {
    const world = worldOf(sessions);
    for (const id of ['a', 'b']) join(world, 'anna', id);

    const { client, answer } = join(world, 'anna', 'c', { protocolVersion: 4, properties: {} });

    expect(answer).toMatchObject({ cmd: 'connack', returnCode: 3 });
    expect(client.closedWith).toEqual([1008, expect.stringContaining('mqtt_sessions')]);
  });

  it('[MQTT-3.2.2-19] are refused without a text to who takes none so long', () => {
    const world = worldOf({ mqtt_sessions: { owner: 0 } });

    const { answer } = join(world, 'anna', 'a', { properties: { maximumPacketSize: 40 } });

    expect(answer).toMatchObject({ cmd: 'connack', reasonCode: 0x97 });
    expect(answer).not.toHaveProperty('properties.reasonString');
  });

  it('leave room to other keys of the team, as far as the team has any, and to administrators', () => {
    const world = worldOf(sessions);
    const codes = ['anna a', 'anna b', 'anna c', 'ben d', 'ben e', 'admin f', 'admin g'].map(
      (who) => {
        const [username = '', id = ''] = who.split(' ');
        const { answer } = join(world, username, id);
        return answer?.cmd === 'connack' ? answer.reasonCode : undefined;
      },
    );

    expect(codes).toEqual([0, 0, 0x97, 0, 0x97, 0, 0]);
  });

  it('count as long as they are stored: through an eviction, a crash, and until they end', () => {
    const world = worldOf(sessions);
    for (const id of ['a', 'b']) join(world, 'anna', id);
    const isRefused = () => {
      const { answer } = join(world, 'anna', 'c');
      return answer?.cmd === 'connack' && answer.reasonCode === 0x97;
    };

    world.evict();
    expect(isRefused()).toBe(true);
    world.crash();
    expect(isRefused()).toBe(true);
    world.advance(3600_000);
    expect(isRefused()).toBe(false);
  });
});

describe('the retained messages of a key', () => {
  const quotas = { retained_messages: { owner: 2, team: 3 } };
  const retain = { retain: true, qos: 1, messageId: 7 } as const;
  const filled = () => {
    const world = worldOf(quotas);
    const { client } = join(world, 'anna', 'a');
    for (const topic of ['x/1', 'x/2']) client.publish(topic, 'v', retain);
    client.take();
    return { world, client };
  };

  it('are as many as it may have: one more is answered 0x97 and why, and reaches nobody', () => {
    const { world, client } = filled();
    const before = world.heard.length;

    client.publish('x/3', 'v', retain);

    expect(client.take()).toMatchObject([
      {
        ...{ cmd: 'puback', reasonCode: 0x97 },
        properties: { reasonString: expect.stringContaining('retained_messages: This key has 2') },
      },
    ]);
    expect([client.isOpen, world.heard.length]).toEqual([true, before]);
  });

  it('may be replaced and taken away, also after an eviction', () => {
    const { world, client } = filled();
    world.evict();

    client.publish('x/1', 'other', retain);
    client.publish('x/2', '', retain);
    client.publish('x/3', 'v', retain);
    client.publish('x/4', 'v', retain);

    expect(client.take().map((packet) => 'reasonCode' in packet && packet.reasonCode)).toEqual([
      ...[0, 0, 0].map(() => expect.toSatisfy((code) => !code)),
      0x97,
    ]);
  });

  it.each([
    ['5, of quality of service 0', {}, { qos: 0 }],
    ['3.1.1', { protocolVersion: 4, properties: {} }, { qos: 1, messageId: 9 }],
  ])('end a connection that no answer can tell, in version %s', (_, options, more) => {
    const { world } = filled();
    const { client } = join(world, 'anna', 'b', options);

    client.publish('x/3', 'v', { retain: true, ...more } as object);

    expect(client.closedWith).toEqual([1008, expect.stringContaining('retained_messages')]);
  });

  it('are not those of others, whose place they take', () => {
    const { world } = filled();
    const { client: ben } = join(world, 'ben', 'b');
    const { client: admin } = join(world, 'admin', 'c');

    ben.publish('x/1', 'mine now', retain);
    ben.publish('y/1', 'v', retain);
    ben.publish('y/2', 'v', retain);
    admin.publish('z/1', 'v', retain);

    const codes = (packets: readonly object[]) =>
      packets.map((packet) =>
        'reasonCode' in packet && packet.reasonCode ? packet.reasonCode : 0,
      );
    expect(codes(ben.take())).toEqual([0, 0, 0x97]);
    expect(codes(admin.take())).toEqual([0]);
  });
});
