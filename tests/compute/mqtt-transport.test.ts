import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { initializePluginSystem } from '../../compute/plugins/plugin-system.ts';
import { arrayOf, type PluginManager } from '../../engine/index.ts';
import { type MqttBroker, startMqttBroker } from './mqtt-broker.ts';

let broker: MqttBroker;
const managers: PluginManager[] = [];
beforeAll(async () => {
  broker = await startMqttBroker();
});
afterAll(async () => {
  for (const manager of managers) await manager.close();
  await broker.close();
});

/** A platform whose transport is connected. */
async function connected(url = broker.url) {
  const manager = await initializePluginSystem([]);
  managers.push(manager);
  const transport = manager.getPlugin('COMMUNICATION', 'MQTTTransportPlugin')!;
  await manager.configurePlugin(transport, { url });
  await manager.initializePlugin(transport);
  const isUp = await manager.activatePlugin(transport);
  return { manager, transport, isUp };
}

type Platform = Awaited<ReturnType<typeof connected>>;

const arrived = async ({ manager, transport }: Platform) => {
  const { messages } = await manager.executePlugin(transport, {});
  return messages as readonly { topic: string; payload: string }[];
};

describe('the MQTT transport', () => {
  it('carries spikes from one platform to another as address events', async () => {
    const [sender, receiver] = [await connected(), await connected()];
    await receiver.manager.executePlugin(receiver.transport, { subscribe: 'layer/+/spikes' });
    const spikes = arrayOf([3, 2], [0, 1, 0, 0, 1, 1]);

    const sent = await sender.manager.executePlugin(sender.transport, {
      topic: 'layer/v1/spikes',
      spikes,
    });

    expect(sent).toMatchObject({ published: 1, dropped: 0 });
    await expect
      .poll(() => arrived(receiver), { timeout: 5_000 })
      .toEqual([
        {
          topic: 'layer/v1/spikes',
          payload: JSON.stringify({
            steps: 3,
            neurons: 2,
            events: [
              [0, 1],
              [2, 0],
              [2, 1],
            ],
          }),
        },
      ]);
  });

  it('does not begin without a broker to talk to', async () => {
    const manager = await initializePluginSystem([]);
    managers.push(manager);
    const transport = manager.getPlugin('COMMUNICATION', 'MQTTTransportPlugin')!;

    expect(await manager.initializePlugin(transport)).toBe(false);
    expect(manager.reasonOf(transport)).toBe('its setting url is empty');
  });

  it('fails with the reason where no broker answers', async () => {
    const gone = await startMqttBroker();
    await gone.close();

    const { manager, transport, isUp } = await connected(gone.url);

    expect(isUp).toBe(false);
    expect(manager.reasonOf(transport)).toContain('ECONNREFUSED');
  });

  it('finds its broker again', async () => {
    const platform = await connected();
    const { manager, transport } = platform;
    const logged = () => manager.logsOf(transport).map(({ message }) => message);

    broker.cut();

    await expect.poll(logged, { timeout: 10_000 }).toContain('has its broker again');
    await manager.executePlugin(transport, { subscribe: '#' });
    await manager.executePlugin(transport, { topic: 'a', payload: { x: 1 } });
    await expect
      .poll(() => arrived(platform), { timeout: 5_000 })
      .toEqual([{ topic: 'a', payload: '{"x":1}' }]);
  });
});
