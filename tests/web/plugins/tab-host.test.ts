import { describe, expect, it } from 'vitest';
import { PluginRecord } from '../../../edge/plugins/contract/plugin.ts';
import { createBuiltInPlugins, PluginManager } from '../../../engine/index.ts';
import { tabHandlers } from '../../../web/plugins/tab-host.ts';

const NAME = 'SpikeTrainStatisticsPlugin';

function tab() {
  const manager = new PluginManager({
    openBackend: () => Promise.reject(new Error('no device is needed')),
  });
  for (const plugin of createBuiltInPlugins()) manager.registerPlugin(plugin);
  return tabHandlers(manager);
}

describe('the plugins of a tab', () => {
  it('answer in the words of a plugin host', async () => {
    const { list, get } = tab();
    const { plugins, total } = await list(null);
    expect(total).toBe(plugins.length);
    for (const { name } of plugins) {
      expect(PluginRecord.safeParse(await get(name)).error, name).toBeUndefined();
    }
  });

  it('are activated, configured, and deactivated, and their logs say so', async () => {
    const { activate, configure, deactivate, logs } = tab();
    const { status, configuration } = await activate(NAME);
    expect(status).toBe('ACTIVE');
    const [key = ''] = Object.keys(configuration);
    const changed = await configure({ name: NAME, values: { ...configuration, [key]: 2 } });
    expect(changed.configuration[key]).toBe(2);
    expect((await deactivate(NAME)).status).toBe('INACTIVE');
    const { logs: lines, latest_seq: latest } = await logs(NAME);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.at(-1)?.seq).toBe(latest);
  });

  it('are refused where there is none, or where it is wrong, with the reason', async () => {
    const { get, deactivate, configure } = tab();
    expect(() => get('NoSuchPlugin')).toThrow('there is no plugin named NoSuchPlugin');
    await expect(deactivate(NAME)).rejects.toThrow('expected ACTIVE');
    await expect(configure({ name: NAME, values: { nonsense: 1 } })).rejects.toThrow('nonsense');
  });
});
