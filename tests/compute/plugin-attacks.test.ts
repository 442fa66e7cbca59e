import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { confinementFault } from '../../compute/plugins/sandbox.ts';
import { GREED, MESSAGES, misbehave, tryEscapes } from './plugin-attacks.ts';
import { writePlugin } from './plugin-folders.ts';
import { newRoot, open } from './plugin-system.ts';
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

describe('a plugin in an isolate', () => {
  tryEscapes([]);
  misbehave([], [...GREED, ...MESSAGES]);
});
describe.skipIf(fault !== undefined)('a plugin in a process', () => {
  tryEscapes(['node']);
  misbehave(['node'], GREED);
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
