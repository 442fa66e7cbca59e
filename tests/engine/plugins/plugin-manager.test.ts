import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  arrayOf,
  type BasePlugin,
  type PluginManager,
  type PluginStatus,
} from '../../../engine/index.ts';
import { extent } from '../extent.ts';
import { active, managerWith, statusOf } from './managed.ts';
import { ProbePlugin } from './probe-plugin.ts';

describe('a plugin manager', () => {
  it('finds a plugin by its type and name, and nothing by another type', () => {
    const plugin = new ProbePlugin();
    const manager = managerWith([plugin]);

    expect(manager.getPlugin('MONITORING', 'Probe')).toBe(plugin);
    expect(manager.getPlugin('LEARNING', 'Probe')).toBeUndefined();
    expect(manager.getPlugin('MONITORING', 'Other')).toBeUndefined();
  });

  it('leads a plugin through its life', async () => {
    const plugin = new ProbePlugin();
    const manager = managerWith([plugin]);

    expect(statusOf(manager, plugin)).toBe('LOADED');
    expect(await manager.initializePlugin(plugin)).toBe(true);
    expect(statusOf(manager, plugin)).toBe('INITIALIZED');
    expect(await manager.activatePlugin(plugin)).toBe(true);
    expect(statusOf(manager, plugin)).toBe('ACTIVE');
    await manager.executePlugin(plugin, {});
    expect(await manager.deactivatePlugin(plugin)).toBe(true);
    expect(statusOf(manager, plugin)).toBe('INACTIVE');
    expect(plugin.calls).toEqual(['initialize', 'activate', 'execute', 'deactivate']);
  });

  it('refuses to activate what is not initialized, and says so', async () => {
    const plugin = new ProbePlugin();
    const manager = managerWith([plugin]);

    expect(await manager.activatePlugin(plugin)).toBe(false);
    expect(manager.reasonOf(plugin)).toBe('it is LOADED, expected INITIALIZED, INACTIVE');
    expect(manager.logsOf(plugin).at(-1)?.message).toBe(manager.reasonOf(plugin));
  });

  it('refuses a second plugin of a name, of whatever type', () => {
    const manager = managerWith([new ProbePlugin()]);
    const second = new ProbePlugin({ type: 'LEARNING', version: '2.0.0' });

    expect(manager.registerPlugin(second)).toBe(false);
    expect(manager.reasonOf(second)).toBe(
      'there is a plugin of this name already: Probe 1.0.0 (MONITORING)',
    );
    expect(manager.refused).toHaveLength(1);
  });

  it('refuses a neuron plugin that cannot make layers', () => {
    const manager = managerWith([]);

    expect(manager.registerPlugin(new ProbePlugin({ type: 'NEURON' }))).toBe(false);
    expect(manager.refused[0]?.reason).toContain('has no createLayer');
  });

  it.each(['initialize', 'activate', 'deactivate'] as const)(
    'puts a plugin that throws in %s out of service, with the reason',
    async (call) => {
      const plugin = new ProbePlugin();
      plugin.throwing.add(call);
      const manager = await active(plugin);
      await manager.deactivatePlugin(plugin);

      expect(manager.inspectPlugin(plugin)).toMatchObject({
        status: 'ERROR',
        reason: `${call}: ${call} went wrong`,
      });
      expect(plugin.calls.at(-1)).toBe('dispose');
    },
  );

  it('begins a plugin anew that failed', async () => {
    const plugin = new ProbePlugin();
    plugin.throwing.add('activate');
    const manager = await active(plugin);
    plugin.throwing.clear();

    expect(await manager.initializePlugin(plugin)).toBe(true);
    expect(await manager.activatePlugin(plugin)).toBe(true);
    expect(manager.reasonOf(plugin)).toBe('');
  });

  it('ends a plugin that does not answer', async () => {
    const plugin = new ProbePlugin();
    plugin.answer = () => new Promise(() => {});
    const manager = managerWith([plugin], { execute: 20 });
    await manager.activateAll();

    await expect(manager.executePlugin(plugin, {})).rejects.toThrow('within 20 ms');
    expect(statusOf(manager, plugin)).toBe('ERROR');
  });

  it.each([
    ['nothing', undefined],
    ['a list', []],
    ['another port', { other: 1 }],
    ['a text for a number', { rate: '5' }],
    ['NaN', { rate: Number.NaN }],
    ['no rates', { rate: 1 }],
    ['rates of another shape', { rate: 1, rates: arrayOf([3], [1, 2, 3]) }],
    ['a shape that its data does not fill', { rate: 1, rates: { shape: [2], data: [1, 2] } }],
    ['an infinite rate', { rate: 1, rates: arrayOf([2], [1, Infinity]) }],
  ])('ends a plugin that answers %s', async (_, answer) => {
    const plugin = new ProbePlugin({
      inputs: { spikes: { kind: 'array', axes: ['T', 'N'], description: '' } },
      outputs: {
        rate: { kind: 'number', description: '' },
        rates: { kind: 'array', axes: ['N'], description: '' },
      },
    });
    plugin.answer = () => answer;
    const manager = await active(plugin);

    const asked = manager.executePlugin(plugin, { spikes: arrayOf([1, 2], [0, 1]) });

    await expect(asked).rejects.toMatchObject({ code: 'plugin-failed' });
    expect(statusOf(manager, plugin)).toBe('ERROR');
  });

  it('does not fail a plugin for an invalid call', async () => {
    const plugin = new ProbePlugin({ inputs: { x: { kind: 'number', description: '' } } });
    const manager = await active(plugin);

    for (const inputs of [{}, { x: Number.NaN }, { x: 1, y: 2 }]) {
      const asked = manager.executePlugin(plugin, inputs);
      await expect(asked).rejects.toMatchObject({ code: 'invalid-setting' });
    }
    expect(statusOf(manager, plugin)).toBe('ACTIVE');
    expect(plugin.calls).not.toContain('execute');
  });

  it('never has two calls of a plugin overlap', async () => {
    const plugin = new ProbePlugin();
    let under = 0;
    let most = 0;
    plugin.answer = async () => {
      under += 1;
      most = Math.max(most, under);
      await Promise.resolve();
      under -= 1;
      return {};
    };
    const manager = await active(plugin);

    await Promise.all(Array.from({ length: 8 }, () => manager.executePlugin(plugin, {})));

    expect(most).toBe(1);
  });

  it('stops a plugin that reports it cannot continue', async () => {
    const plugin = new ProbePlugin();
    const manager = await active(plugin);

    plugin.current.fail('the wire is cut');
    await manager.settled();

    expect(manager.inspectPlugin(plugin)).toMatchObject({
      status: 'ERROR',
      reason: 'the wire is cut',
    });
  });

  it('keeps what a plugin says in bounded memory', async () => {
    const plugin = new ProbePlugin();
    const manager = await active(plugin);
    for (let i = 0; i < 2000; i++) plugin.current.log('debug', 'x'.repeat(10_000));
    plugin.current.log('loud' as 'info', 'y');

    const logs = manager.logsOf(plugin);

    expect(logs).toHaveLength(500);
    expect(Math.max(...logs.map(({ message }) => message.length))).toBeLessThan(5000);
    expect(logs.at(-1)).toMatchObject({ level: 'info', message: 'y', seq: logs[0]!.seq + 499 });
    plugin.answer = () => {
      throw new Error('z'.repeat(1e6));
    };
    await manager.executePlugin(plugin, {}).catch(() => {});
    expect(manager.reasonOf(plugin).length).toBeLessThan(5000);
  });
});

/** The transitions that each status allows, restated as a table. */
const EXPECTED: Record<PluginStatus, Partial<Record<Command, PluginStatus>>> = {
  LOADED: { initialize: 'INITIALIZED' },
  INITIALIZED: { initialize: 'INITIALIZED', activate: 'ACTIVE' },
  ACTIVE: { activate: 'ACTIVE', deactivate: 'INACTIVE', execute: 'ACTIVE' },
  INACTIVE: { initialize: 'INITIALIZED', activate: 'ACTIVE', deactivate: 'INACTIVE' },
  ERROR: { initialize: 'INITIALIZED' },
};
type Command = 'initialize' | 'activate' | 'deactivate' | 'execute';

/** Commands that do not call the plugin where it is there already. */
const IDLE = new Set(['ACTIVE activate', 'INACTIVE deactivate']);

describe('the life of a plugin', () => {
  it('follows its table, whatever is called and whatever throws', async () => {
    const step = fc.record({
      command: fc.constantFrom<Command[]>('initialize', 'activate', 'deactivate', 'execute'),
      isThrowing: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const plugin = new ProbePlugin();
        const manager = managerWith([plugin]);
        let status: PluginStatus = 'LOADED';
        for (const { command, isThrowing } of steps) {
          plugin.throwing.clear();
          if (isThrowing) plugin.throwing.add(command);
          const next: PluginStatus | undefined = EXPECTED[status][command];
          const isCalled: boolean = next !== undefined && !IDLE.has(`${status} ${command}`);
          const calls = plugin.calls.filter((call) => call === command).length;

          const didWork = await ask(manager, plugin, command);

          expect(didWork).toBe(next !== undefined && !(isCalled && isThrowing));
          expect(plugin.calls.filter((call) => call === command)).toHaveLength(
            calls + Number(isCalled),
          );
          status = isCalled && isThrowing ? 'ERROR' : (next ?? status);
          expect(statusOf(manager, plugin)).toBe(status);
        }
      }),
      { numRuns: extent(200, 50) },
    );
  });
});

async function ask(manager: PluginManager, plugin: BasePlugin, command: Command) {
  if (command === 'execute') {
    return manager.executePlugin(plugin, {}).then(
      () => true,
      () => false,
    );
  }
  return manager[`${command}Plugin`](plugin);
}
