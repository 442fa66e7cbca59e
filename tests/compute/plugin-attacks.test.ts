import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { confinementFault } from '../../compute/plugins/sandbox.ts';
import { writePlugin } from './plugin-folders.ts';
import { newRoot, open, running } from './plugin-system.ts';
import { runSpikegrid, startSpikegrid } from './spikegrid-process.ts';
import {
  openOutside,
  type Outside,
  tryAll,
  waysToMachine,
  waysToNetwork,
} from './plugin-escapes.ts';

const fault = await confinementFault();
let outside: Outside;
beforeAll(async () => {
  outside = await openOutside();
});
afterAll(() => outside[Symbol.asyncDispose]());

const attack = (body: string, permissions: readonly string[]) =>
  running({ body, manifest: { permissions } });

/** Attacks by a plugin with these permissions. */
function attacks(permissions: readonly string[]): void {
  it('finds no way to the network', async () => {
    const before = outside.reached();
    const { manager, mine } = await attack(tryAll(waysToNetwork(outside)), permissions);

    expect(await manager.executePlugin(mine, {})).toEqual({ value: [] });
    expect(outside.reached()).toBe(before);
  });

  it('finds no way to files, processes and what the host knows', async () => {
    const { manager, mine } = await attack(tryAll(waysToMachine(outside)), permissions);

    expect(await manager.executePlugin(mine, {})).toEqual({ value: [] });
  });

  const limits = { heapMb: 32, idleMs: 200 };
  // The runner of a plugin sends through these, so the plugin controls the messages.
  const sends = (json: string) => `JSON.stringify = ({ id }) => ${json}; return {};`;
  it.each<[string, string, RegExp]>([
    [
      'loops without end once it has responded',
      'setTimeout(() => { for (;;); }); return {};',
      /^it used 200 ms of processor time while nothing was asked of it$/,
    ],
    [
      'fills memory with arrays',
      'const kept = []; for (let i = 0; i < 400; i++) kept.push(new Uint8Array(1e7).fill(1)); return {};',
      /allocation failed|more memory/,
    ],
    [
      'fills the memory of WASM',
      `const memory = new WebAssembly.Memory({ initial: 1 });
       for (let i = 0; i < 400; i++) { memory.grow(160); new Uint8Array(memory.buffer).fill(1); } return {};`,
      /grow|allocation|more memory/,
    ],
    ['answers too much', 'return { value: "x".repeat(5e6) };', /bytes of JSON, expected up to/],
    [
      'answers too many values',
      'return { value: Array.from({ length: 6e5 }, () => 1) };',
      /more values, expected up to 500000/,
    ],
    [
      'answers too deep',
      'let value = []; for (let i = 0; i < 1e4; i++) value = [value]; return { value };',
      /nested deeper/,
    ],
    ['sends what is too deep', sends('"[".repeat(1e6) + "]".repeat(1e6)'), /nested deeper/],
    ['sends no JSON', sends('"{"'), /it is no JSON/],
    ['sends too many lists', sends('`[${"[],".repeat(6e5)}0]`'), /more values/],
    ['sends what is no message', sends('\'{"kind":"settle","id":1}\''), /no message/],
    [
      'sends members of all objects',
      sends(
        '`{"kind":"result","id":${id},"result":{"ok":true,"value":{"__proto__":{"polluted":1}}}}`',
      ),
      /named __proto__/,
    ],
    [
      'lies about how much it sends',
      'Uint32Array = function () { return new Float32Array([1e38, 1e38]); }; return {};',
      /bytes of (JSON|arrays), expected up to/,
    ],
  ])('that %s is put out of service; the others go on', async (_, body, reason) => {
    const root = newRoot();
    await writePlugin(root, 'Mine', { body, manifest: { permissions } });
    await writePlugin(root, 'Other', { body: 'return { value: 1 };' });
    const manager = await open(root, { loader: { limits } });
    await manager.activateAll();
    const mine = manager.findPlugin('Mine')!;
    const other = manager.findPlugin('Other')!;

    const executed = manager.executePlugin(mine, {}).catch(() => {});
    expect(await manager.executePlugin(other, {})).toEqual({ value: 1 });
    await executed;
    const statusOf = () => manager.inspectPlugin(mine)?.status;
    await expect.poll(statusOf, { timeout: 30_000 }).toBe('ERROR');

    expect(manager.inspectPlugin(mine)?.reason).toMatch(reason);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(await manager.executePlugin(other, {})).toEqual({ value: 1 });
    expect(await manager.initializePlugin(mine)).toBe(true);
  });

  it('slows itself alone where it floods its host', async () => {
    const flood = `
      for (let i = 0; i < 3000; i++) { this.context.log('info', 'x'.repeat(5000)); if (i % 50 === 0) await 0; }
      console.log('x'.repeat(1e6)); return {};`;
    const { manager, mine } = await attack(flood, permissions);
    const executed = manager.executePlugin(mine, {});

    const other = await writePlugin(newRoot(), 'Other', { body: 'return { value: 1 };' });
    const beside = await open(other);
    await beside.activateAll();
    for (let i = 0; i < 20; i++) {
      expect(await beside.executePlugin(beside.findPlugin('Other')!, {})).toEqual({ value: 1 });
    }
    await executed;
    expect(manager.logsOf(mine).length).toBeLessThanOrEqual(500);
  });
}

describe('a plugin in an isolate', () => {
  attacks([]);
});
describe.skipIf(fault !== undefined)('a plugin in a process', () => {
  attacks(['node']);
});

/** Runs a command where the kernel makes no further namespaces. */
const WITHOUT_NAMESPACES = [
  ...['unshare', '--user', '--map-root-user', '/bin/sh', '-c'],
  ...['echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"', 'sh'],
];

describe('a plugin that requests more permissions than computing', () => {
  const folderWith = (permissions: readonly string[], body = 'return {};') =>
    writePlugin(newRoot(), 'Mine', { body, manifest: { permissions } });
  const granted = { loader: { grants: new Set(['Mine']) } };

  it('is refused the network unless that was granted', async () => {
    const manager = await open(await folderWith(['network']));

    expect(manager.refused.map(({ reason }) => reason)).toEqual([
      'it asks for the network, which was not granted; to let it, start the host with --grant Mine=network',
    ]);
  });

  it.skipIf(fault !== undefined)(
    'reaches the network where it was granted, and nothing else',
    async () => {
      const body = tryAll({ ...waysToNetwork(outside), ...waysToMachine(outside) });
      const folder = await folderWith(['network'], body);
      const manager = await open(folder, granted);
      await manager.activateAll();

      const { value } = await manager.executePlugin(manager.findPlugin('Mine')!, {});

      // The same ways that are closed above are ways indeed.
      expect(value).toEqual(['fetch', 'net', 'http', 'builtin', 'dns', 'udp', 'dispatcher']);
      expect(outside.reached()).toBeGreaterThan(4);
    },
  );

  it.skipIf(fault !== undefined)(
    'reads its own files with node, and has no environment',
    async () => {
      const body = `
      const { readFileSync } = await import('node:fs');
      const own = readFileSync(new URL('main.js', import.meta.url), 'utf8').length > 0;
      return { value: { own, env: { ...process.env } } };`;
      const manager = await open(await folderWith(['node'], body));
      await manager.activateAll();

      expect(await manager.executePlugin(manager.findPlugin('Mine')!, {})).toEqual({
        value: { own: true, env: {} },
      });
    },
  );

  it.skipIf(fault !== undefined)(
    'is refused Node where it cannot be kept from the network, unless that was granted',
    async () => {
      const folder = await folderWith(['node']);
      const check = (...args: string[]) =>
        startSpikegrid(['plugins', 'check', folder, ...args], WITHOUT_NAMESPACES).ended;

      const [refused, allowed] = await Promise.all([check(), check('--grant', 'Mine=network')]);

      expect(refused.code).toBe(1);
      expect(refused.stderr).toMatch(
        /^spikegrid: it needs Node, which cannot be kept from the network here \(unshare.*\); to let it, start the host with --grant Mine=network\n$/,
      );
      expect([allowed.code, allowed.stdout]).toEqual([
        0,
        expect.stringContaining('started in a process of Node of its own'),
      ]);
    },
  );

  it('is granted nothing but the network, by name', async () => {
    const { stderr } = await runSpikegrid('plugins', 'list', '--grant', 'Mine=files');

    expect(stderr).toContain('--grant is "Mine=files", expected NAME=network');
  });
});
