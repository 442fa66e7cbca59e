import { describe, expect, it, vi } from 'vitest';
import { parseBroker } from '../../compute/discovery/outside-broker.ts';
import { startMqttBroker } from './mqtt-broker.ts';
import {
  SEEN,
  SOON,
  startAnswering,
  startNode,
  startService,
  watchNodes,
} from './outside-nodes.ts';

describe('a brain on a broker of others', () => {
  it('is seen as one at the edge is, and says at once who has left', async () => {
    const broker = await startMqttBroker();
    expect(await watchNodes(broker.url)).toEqual(SEEN);
    await broker.close();
  });
});

describe('the address of a broker', () => {
  const url = 'mqtts://broker:8883';

  it.each([
    ['mqtts://eve:p%40ss@broker:8883', {}, { username: 'eve', password: 'p@ss' }],
    [url, { MQTT_USERNAME: 'eve', MQTT_PASSWORD: 'p@ss' }, { username: 'eve', password: 'p@ss' }],
    ['mqtts://eve@broker:8883', { MQTT_PASSWORD: 'p@ss' }, { username: 'eve', password: 'p@ss' }],
    [url, {}, {}],
  ])('of %s is told apart from who comes', (text, env, login) => {
    expect(parseBroker(text, env)).toEqual({ url, ...login });
  });

  it.each([
    ['http://eve:secret@broker', "the broker's address is http://broker: expected mqtt://"],
    ['eve:secret@broker', "the broker's address is eve://: expected mqtt://"],
    ['//eve:secret@broker', "the broker's address is none: expected mqtt://"],
    ['mqtt://eve:secret%@broker', 'a % in the user or password of the broker'],
  ])('may not be %s, and no secret is told', (text, message) => {
    expect(() => parseBroker(text, {})).toThrow(message);
    expect(() => parseBroker(text, {})).not.toThrow('secret');
  });
});

describe('an outside broker', () => {
  it('that goes away makes the service degraded, until it is back', async () => {
    const broker = await startMqttBroker();
    const { service, health } = await startService(broker.url);
    const { line, presence } = await startNode(broker.url, 'one');
    await vi.waitFor(async () => expect((await health()).summary.active).toBe(1), SOON);
    expect(await service.healthCheck()).toMatchObject({ status: 'ok' });

    broker.cut();

    await vi.waitFor(
      async () => expect((await service.healthCheck()).status).toBe('degraded'),
      SOON,
    );
    await vi.waitFor(async () => expect((await service.healthCheck()).status).toBe('ok'), SOON);
    // The node is known again once the broker has told what it retains.
    await vi.waitFor(
      async () => expect((await health()).nodes[0]?.metadata['step_count']).toBe(0),
      SOON,
    );
    presence.note({ step_count: 7 });
    await vi.waitFor(
      async () => expect((await health()).nodes[0]?.metadata['step_count']).toBe(7),
      SOON,
    );
    await presence.leave();
    await line.end();
    await service.stop();
    await broker.close();
  });

  it('that speaks no MQTT 5 says so to nodes', async () => {
    const broker = await startMqttBroker();

    await expect(startAnswering(broker.url, 'motor-1', 'cellar')).rejects.toThrow(
      `motor-1 cannot connect to ${broker.url}: it speaks no MQTT 5`,
    );
    await broker.close();
  });

  it('that is not there is an error at the start, which leaves nothing open', async () => {
    await expect(startService('mqtt://127.0.0.1:1')).rejects.toThrow(/ECONNREFUSED/);
  });
});
