import { describe, expect, it } from 'vitest';
import { openBackend, PluginManager, settings } from '../../../engine/index.ts';
import { active, managerWith, statusOf } from './managed.ts';
import { ProbePlugin } from './probe-plugin.ts';

describe('plugins that depend on others', () => {
  const base = () => new ProbePlugin({ name: 'Base', version: '1.4.0' });
  const user = (range = '^1.2.0') =>
    new ProbePlugin({ name: 'User', dependencies: { Base: range } });

  it('are activated after what they need', async () => {
    const [needed, needing] = [base(), user()];
    const manager = managerWith([needing, needed]);

    expect(await manager.activateAll()).toBe(true);
    expect(statusOf(manager, needing)).toBe('ACTIVE');
  });

  it.each([
    ['is missing', [user()], 'it needs Base ^1.2.0, which is missing'],
    ['has another version', [base(), user('^2.0.0')], 'it needs Base ^2.0.0, but Base is 1.4.0'],
  ])('fail where what they need %s', async (_, plugins, reason) => {
    const manager = managerWith(plugins);

    expect(await manager.activateAll()).toBe(false);
    expect(manager.reasonOf(plugins.at(-1)!)).toBe(reason);
    expect(statusOf(manager, plugins.at(-1)!)).toBe('ERROR');
  });

  it('name the circle they run in', async () => {
    const [a, b, c] = [
      new ProbePlugin({ name: 'A', dependencies: { B: '*' } }),
      new ProbePlugin({ name: 'B', dependencies: { C: '*' } }),
      new ProbePlugin({ name: 'C', dependencies: { A: '*' } }),
    ];
    const manager = await active(a!, b!, c!);

    expect(manager.reasonOf(b!)).toBe('its dependencies run in a circle: B -> C -> A -> B');
    expect(statusOf(manager, a!)).toBe('ERROR');
  });

  it('cannot lose what they need by hand', async () => {
    const [needed, needing] = [base(), user()];
    const manager = await active(needed, needing);

    expect(await manager.deactivatePlugin(needed)).toBe(false);
    expect(manager.reasonOf(needed)).toBe('User needs it');
    expect(statusOf(manager, needed)).toBe('ACTIVE');
  });

  it('end with what they need', async () => {
    const [needed, needing] = [base(), user()];
    needed.answer = () => {
      throw new Error('broken');
    };
    const manager = await active(needed, needing);

    await manager.executePlugin(needed, {}).catch(() => {});
    await manager.settled();

    expect(manager.inspectPlugin(needing)).toMatchObject({
      status: 'INACTIVE',
      reason: 'it needs Base, which failed: execute: broken',
    });
  });

  it('execute what they need, and nothing else', async () => {
    const [needed, needing] = [base(), user()];
    needing.answer = async (_, context) => {
      await context.execute('Base', {});
      await expect(context.execute('Other', {})).rejects.toThrow('depends on Base, not on Other');
      return {};
    };
    const manager = await active(needed, needing);

    await manager.executePlugin(needing, {});

    expect(needed.calls).toContain('execute');
  });
});

describe('the configuration of a plugin', () => {
  const configurable = () =>
    new ProbePlugin({
      configuration: settings({
        tau: { type: 'number', title: 'tau', default: 20, exclusiveMinimum: 0 },
      }),
    });

  it('begins a plugin anew that runs', async () => {
    const plugin = configurable();
    const manager = await active(plugin);

    expect(await manager.configurePlugin(plugin, { tau: 5 })).toBe(true);
    expect(plugin.current.configuration).toEqual({ tau: 5 });
    expect(plugin.calls).toEqual([
      'initialize',
      'activate',
      'deactivate',
      'initialize',
      'activate',
    ]);
  });

  it('changes nothing where a value is wrong', async () => {
    const plugin = configurable();
    const manager = await active(plugin);

    expect(await manager.configurePlugin(plugin, { tau: 0 })).toBe(false);
    expect(manager.reasonOf(plugin)).toBe('tau: got 0, expected a finite number above 0');
    expect(plugin.current.configuration).toEqual({ tau: 20 });
    expect(statusOf(manager, plugin)).toBe('ACTIVE');
  });

  it('has to be given before a plugin begins that needs it', async () => {
    const url = { type: 'string', title: 'url', default: '', required: true } as const;
    const plugin = new ProbePlugin({ configuration: settings({ url }) });
    const manager = await active(plugin);

    expect(manager.reasonOf(plugin)).toBe('its setting url is empty');
    expect(statusOf(manager, plugin)).toBe('LOADED');
    await manager.configurePlugin(plugin, { url: 'mqtt://broker' });
    expect(await manager.initializePlugin(plugin)).toBe(true);
  });
});

describe('another version of a plugin', () => {
  const origin = { kind: 'built-in' } as const;
  const version = (text: string) => new ProbePlugin({ version: text });

  it('takes over once it runs', async () => {
    const [old, next] = [version('1.0.0'), version('1.1.0')];
    const manager = await active(old);

    expect(await manager.replacePlugin(old, next, origin)).toBe(true);
    expect(manager.getPlugin('MONITORING', 'Probe')).toBe(next);
    expect(manager.inspectPlugin(next)).toMatchObject({
      status: 'ACTIVE',
      metadata: { version: '1.1.0' },
    });
    expect(old.calls.slice(-2)).toEqual(['deactivate', 'dispose']);
  });

  it.each(['initialize', 'activate'] as const)(
    'leaves the old one where it throws in %s',
    async (call) => {
      const [old, next] = [version('1.0.0'), version('1.1.0')];
      next.throwing.add(call);
      const manager = await active(old);

      expect(await manager.replacePlugin(old, next, origin)).toBe(false);
      await manager.executePlugin(old, {});
      expect(statusOf(manager, old)).toBe('ACTIVE');
      expect(manager.reasonOf(old)).toContain(`1.0.0 stays`);
      expect(next.calls.at(-1)).toBe('dispose');
    },
  );

  it('is refused where a plugin that needs it does not take it', async () => {
    const old = version('1.0.0');
    const user = new ProbePlugin({ name: 'User', dependencies: { Probe: '^1.0.0' } });
    const manager = await active(old, user);

    expect(await manager.replacePlugin(old, version('2.0.0'), origin)).toBe(false);
    expect(manager.reasonOf(old)).toContain('User needs Probe ^1.0.0, but it is 2.0.0');
  });
});

describe('the device of the plugins', () => {
  it('is opened once, and anew once it is lost', async () => {
    let count = 0;
    let lose = (_reason: string) => {};
    const manager = new PluginManager({
      openBackend: async () => {
        count += 1;
        const lost = new Promise<string>((resolve) => {
          lose = resolve;
        });
        return { ...(await openBackend('reference', { gpu: undefined })), lost };
      },
    });
    const plugin = new ProbePlugin();
    manager.registerPlugin(plugin);
    await manager.activateAll();

    const [first, same] = [await plugin.current.openBackend(), await plugin.current.openBackend()];
    lose('it was unplugged');
    await first.lost;
    const next = await plugin.current.openBackend();

    expect(same).toBe(first);
    expect(next).not.toBe(first);
    expect(count).toBe(2);
  });

  it('is requested again where it could not be opened', async () => {
    const opened = [
      () => Promise.reject(new Error('no device')),
      () => openBackend('reference', { gpu: undefined }),
    ];
    const manager = new PluginManager({ openBackend: () => opened.shift()!() });
    const plugin = new ProbePlugin();
    manager.registerPlugin(plugin);
    await manager.activateAll();

    await expect(plugin.current.openBackend()).rejects.toThrow('no device');
    expect((await plugin.current.openBackend()).device.backend).toBe('reference');
  });
});
