import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  BasePlugin,
  PluginLoader,
  PluginManager,
  PluginRegistry,
  PluginStatus,
  PluginType,
} from '../../compute/plugins/plugin-system.ts';
import * as engine from '../../engine/index.ts';
import { newRoot, open, running, whole } from './plugin-system.ts';
import { writeFolder, writePlugin } from './plugin-folders.ts';
import { runSpikegrid } from './spikegrid-process.ts';

/** A file that takes no room on the disk, whatever its length becomes. */
function emptyIn(folder: string): string {
  const path = join(folder, 'large.bin');
  writeFileSync(path, '');
  return path;
}

const refusedIn = async (root: string) => (await open(root)).refused.map(({ reason }) => reason);

describe('what a program leads plugins with', () => {
  it('is there at run time, under the names of the platform', () => {
    for (const named of [BasePlugin, PluginManager, PluginRegistry, PluginLoader]) {
      expect(named).toBeTypeOf('function');
    }
    expect(Object.keys(PluginType)).toEqual([
      ...['NEURON', 'ENCODER', 'PLASTICITY', 'FUNCTIONAL', 'LEARNING', 'MONITORING'],
      'COMMUNICATION',
    ]);
    expect(Object.values(PluginStatus)).toEqual([
      ...['LOADED', 'INITIALIZED', 'ACTIVE', 'INACTIVE', 'ERROR'],
    ]);
    expect(engine).toMatchObject({ BasePlugin, PluginManager, PluginRegistry });
    expect(engine).toMatchObject({ PluginStatus, PluginType });
  });
});

describe('plugins of folders', () => {
  it('are found, loaded, initialized, activated and executed', async () => {
    const { manager, mine } = await running({ body: 'return { value: { answer: 42 } };' });

    expect(manager.inspectPlugin(mine)).toMatchObject({
      status: 'ACTIVE',
      origin: { kind: 'folder', permissions: [] },
    });
    expect(await manager.executePlugin(mine, {})).toEqual({ value: { answer: 42 } });
  });

  it('import their own files, of TypeScript too', async () => {
    const root = newRoot();
    const main = `
      import { BasePlugin, metadata } from 'spikegrid';
      import { half } from './lib/half.ts';
      import table from './table.json' with { type: 'json' };
      class Mine extends BasePlugin {
        getMetadata() {
          return metadata({ name: 'Mine', type: 'MONITORING', version: '1.0.0', description: '',
            outputs: { value: { kind: 'number', description: '' } } });
        }
        execute() { return { value: half(table.x) }; }
      }
      export const createPlugin = () => new Mine();`;
    await writeFolder(
      join(root, 'mine'),
      {
        'main.ts': main,
        'lib/half.ts': 'export const half = (x: number): number => x / 2;',
        'table.json': '{"x": 21}',
      },
      { name: 'Mine', type: 'MONITORING', version: '1.0.0', engine: '*', entry: 'main.ts' },
    );
    const manager = await open(root);
    await manager.activateAll();

    const mine = manager.getPlugin('MONITORING', 'Mine');

    expect(manager.refused).toEqual([]);
    expect(await manager.executePlugin(mine!, {})).toEqual({ value: 10.5 });
  });

  it.each<[string, (root: string) => Promise<unknown> | void, string | RegExp]>([
    ['no manifest', (root) => void mkdirSync(join(root, 'Mine')), 'there is no plugin.json'],
    [
      'a manifest that is no JSON',
      (root) => {
        mkdirSync(join(root, 'Mine'));
        writeFileSync(join(root, 'Mine', 'plugin.json'), '{');
      },
      'plugin.json: it is not JSON',
    ],
    [
      'a manifest that lacks something',
      (root) => writePlugin(root, 'Mine', { manifest: { engine: 'soon' } }),
      'plugin.json: /engine: expected a range of versions such as ^1.2.0 (got "soon")',
    ],
    [
      'a wrong hash',
      (root) => writePlugin(root, 'Mine', { manifest: { sha256: '0'.repeat(64) } }),
      /^sha256 is 0{64}, but its files have [0-9a-f]{64}$/,
    ],
    [
      'a file that was added later',
      async (root) => writeFileSync(join(await writePlugin(root, 'Mine'), 'late.js'), 'export {};'),
      /^sha256 is/,
    ],
    [
      'an entry outside of its folder',
      (root) => writePlugin(root, 'Mine', { manifest: { entry: '../main.js' } }),
      'entry is "../main.js", which is no file of the plugin\'s folder',
    ],
    [
      'a link in its folder',
      async (root) => symlinkSync('/etc/hostname', join(await writePlugin(root, 'Mine'), 'a.js')),
      'a.js is a link, expected a plain file',
    ],
    [
      'another platform in mind',
      (root) => writePlugin(root, 'Mine', { manifest: { engine: '^7.0.0' } }),
      'it is for spikegrid ^7.0.0, but this is 0.1.0',
    ],
    [
      'another name than its manifest',
      (root) => writePlugin(root, 'Mine', { manifest: { name: 'Other' } }),
      'its metadata says name Mine, but its manifest Other',
    ],
    [
      'another type than its manifest',
      (root) => writePlugin(root, 'Mine', { manifest: { type: 'LEARNING' } }),
      'its metadata says type MONITORING, but its manifest LEARNING',
    ],
    [
      'a module that throws',
      (root) => writePlugin(root, 'Mine', { more: 'throw new Error("no");' }),
      'no',
    ],
    [
      'a module that is no JavaScript',
      (root) => writePlugin(root, 'Mine', { more: 'let let;' }),
      /reserved word/,
    ],
    [
      'a module that is too deep',
      (root) =>
        writePlugin(root, 'Mine', { more: `const x = ${'('.repeat(3e6)}1${')'.repeat(3e6)};` }),
      'its modules are too large or too deep to be put together',
    ],
    [
      'a manifest that is too large',
      (root) => writePlugin(root, 'Mine', { manifest: { description: 'x'.repeat(70_000) } }),
      /^plugin\.json has 70\d+ bytes, expected up to 65536$/,
    ],
    [
      'a file that is too large',
      async (root) => truncateSync(emptyIn(await writePlugin(root, 'Mine')), 1e10),
      'its files take more than 67108864 bytes',
    ],
    [
      'a module that makes no plugin',
      (root) =>
        writeFolder(
          join(root, 'Mine'),
          { 'main.js': 'export {};' },
          {
            ...{ name: 'Mine', type: 'NEURON', version: '1.0.0', engine: '*', entry: 'main.js' },
          },
        ),
      'its entry does not export the function createPlugin',
    ],
    [
      'an import from outside of its folder',
      (root) => writePlugin(root, 'Mine', { more: "import '../../secret.js';" }),
      /it may not import "\.\.\/\.\.\/secret\.js"/,
    ],
    [
      'a package',
      (root) => writePlugin(root, 'Mine', { more: "import 'zod';" }),
      /it may not import "zod"/,
    ],
    [
      'code in an address',
      (root) => writePlugin(root, 'Mine', { more: "import 'data:text/javascript,1';" }),
      /it may not import "data:/,
    ],
  ])('are refused with %s', async (_, write, reason) => {
    const root = newRoot();
    await write(root);

    const reasons = await refusedIn(root);

    expect(reasons).toHaveLength(1);
    expect(reasons[0]).toMatch(whole(reason));
  });

  it('are refused a name that another has, built in or not', async () => {
    const [first, second] = [newRoot(), newRoot()];
    for (const root of [first, second]) await writePlugin(root, 'Mine');
    await writePlugin(first, 'SpikeTrainStatisticsPlugin');

    const manager = await open([first, second]);

    expect(manager.refused.map(({ reason }) => reason)).toEqual([
      'there is a plugin of this name already: SpikeTrainStatisticsPlugin 1.0.0 (MONITORING)',
      'there is a plugin of this name already: Mine 1.0.0 (MONITORING)',
    ]);
  });

  it('that are missing altogether are named', async () => {
    expect(await refusedIn('/nowhere/plugins')).toEqual(['the folder cannot be read (ENOENT)']);
  });
});

describe('spikegrid plugins check', () => {
  it('says in one line what does not hold', async () => {
    const folder = await writePlugin(newRoot(), 'Mine', { manifest: { sha256: '0'.repeat(64) } });

    const { code, stderr } = await runSpikegrid('plugins', 'check', folder);

    expect(code).toBe(1);
    expect(stderr).toMatch(/^spikegrid: sha256 is 0{64}, but its files have [0-9a-f]{64}\n$/);
  });
});
