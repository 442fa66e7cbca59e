import { cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadAgain, watchPlugins } from '../../compute/plugins/hot-reload.ts';
import { PluginLoader, PluginStatus, PluginType } from '../../compute/plugins/plugin-system.ts';
import { writePlugin } from './plugin-folders.ts';
import { newRoot, running } from './plugin-system.ts';

describe('a plugin whose files change', () => {
  const folderOf = (root: string) => join(root, 'Mine');

  it('is replaced while it runs', async () => {
    const { manager, folder } = await running({ body: 'return { value: 1 };' });
    await writePlugin(join(folder, '..'), 'Mine', {
      body: 'return { value: 2 };',
      version: '1.1.0',
    });

    expect(await loadAgain(manager, new PluginLoader(), folder)).toBe(true);

    const mine = manager.getPlugin('MONITORING', 'Mine');
    expect(manager.inspectPlugin(mine!)).toMatchObject({
      status: 'ACTIVE',
      metadata: { version: '1.1.0' },
    });
    expect(await manager.executePlugin(mine!, {})).toEqual({ value: 2 });
  });

  it('stays what it was where the new version fails', async () => {
    const { manager, mine, folder } = await running({ body: 'return { value: 1 };' });
    const root = join(folder, '..');
    await writePlugin(root, 'Mine', { more: 'throw new Error("half written");', version: '1.1.0' });

    expect(await loadAgain(manager, new PluginLoader(), folderOf(root))).toBe(false);

    expect(manager.reasonOf(mine)).toContain('1.0.0 stays');
    expect(manager.reasonOf(mine)).toContain('half written');
    expect(await manager.executePlugin(mine, {})).toEqual({ value: 1 });
  });

  it('is seen to change again where files take the place of others', async () => {
    const { manager, folder } = await running({ body: 'return { value: 1 };' });
    let tried = gate();
    const stop = watchPlugins({
      manager,
      loader: new PluginLoader(),
      directories: [join(folder, '..')],
      onTry: (_, didSucceed) => didSucceed && tried.resolve(),
    });

    for (const [version, value] of [
      ['1.1.0', 2],
      ['1.2.0', 3],
    ] as const) {
      tried = gate();
      const body = `return { value: ${value} };`;
      const next = await writePlugin(newRoot(), 'Mine', { body, version });
      for (const file of ['main.js', 'plugin.json']) {
        renameSync(join(next, file), join(folder, file));
      }
      await tried.promise;
      expect(await manager.executePlugin(manager.findPlugin('Mine')!, {})).toEqual({ value });
    }
    stop();
  });

  it('is seen to change by itself, and a new one to come', async () => {
    const { manager, folder } = await running({ body: 'return { value: 1 };' });
    const root = join(folder, '..');
    const ready = await writePlugin(newRoot(), 'New', { body: 'return { value: 4 };' });
    const tried = new Map([folder, join(root, 'New')].map((path) => [path, gate()]));
    const stop = watchPlugins({
      manager,
      loader: new PluginLoader(),
      directories: [root],
      onTry: (path, didSucceed) => didSucceed && tried.get(path)?.resolve(),
    });

    await writePlugin(root, 'Mine', { body: 'return { value: 3 };', version: '2.0.0' });
    cpSync(ready, join(root, 'New'), { recursive: true });
    await Promise.all(Array.from(tried.values(), ({ promise }) => promise));
    stop();

    for (const [name, value] of [
      ['Mine', 3],
      ['New', 4],
    ] as const) {
      const plugin = manager.getPlugin('MONITORING', name);
      expect(await manager.executePlugin(plugin!, {})).toEqual({ value });
    }
  });
});

describe('a plugin whose folder is taken away', () => {
  it('is deactivated and unloaded, and comes back with its folder', async () => {
    const { manager, folder } = await running({ body: 'return { value: 1 };' });
    const user = await writePlugin(join(folder, '..'), 'User', { dependencies: { Mine: '*' } });
    await loadAgain(manager, new PluginLoader(), user);
    const kept = join(newRoot(), 'Mine');
    cpSync(folder, kept, { recursive: true });
    let tried = gate();
    const stop = watchPlugins({
      manager,
      loader: new PluginLoader(),
      directories: [join(folder, '..')],
      onTry: (path) => path === folder && tried.resolve(),
    });

    rmSync(folder, { recursive: true });
    await tried.promise;
    await manager.settled();

    expect(manager.findPlugin('Mine')).toBeUndefined();
    expect(manager.inspectPlugin(manager.findPlugin('User')!)).toMatchObject({
      status: PluginStatus.INACTIVE,
      reason: 'it needs Mine, which was deactivated',
    });
    tried = gate();
    cpSync(kept, folder, { recursive: true });
    await tried.promise;
    stop();
    const back = manager.getPlugin(PluginType.MONITORING, 'Mine');
    expect(await manager.executePlugin(back!, {})).toEqual({ value: 1 });
  });
});

const gate = () => Promise.withResolvers<void>();
