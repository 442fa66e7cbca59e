import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { startControlPlane } from '../../compute/launcher/control-plane.ts';
import { createApiKey, formatApiKey, hashSecret } from '../../edge/access/contract/api-key.ts';
import { UiExport } from '../../edge/discovery/contract/node.ts';
import { hasNetNamespaces, openNetNamespace } from '../compute/net-namespace.ts';
import { startSpikegrid } from '../compute/spikegrid-process.ts';

const SOON = { timeout: 40_000, interval: 100 };
/** Between the five seconds of silence and the 15 of the broker's keep alive, which would end it otherwise. */
const WELL_BEFORE_KEEP_ALIVE_MS = 10_000;

/** The platform, for whoever has the key, at all addresses of this machine. */
async function startPlatform() {
  const folder = mkdtempSync(join(tmpdir(), 'spikegrid-partition-'));
  const first = createApiKey();
  const plane = await startControlPlane({
    configPath: fileURLToPath(new URL('../../wrangler.toml', import.meta.url)),
    host: '0.0.0.0',
    sockets: [{ entrypoint: 'GatewayService', port: 0 }],
    stateDir: folder,
    dashboardDir: folder,
    vars: { BOOTSTRAP_KEY: `${first.id}:${await hashSecret(first.secret)}` },
  });
  const { port } = await plane.address('GatewayService');
  const key = formatApiKey(first);
  const url = `http://127.0.0.1:${port}/api/node-discovery/health`;
  return {
    at: (host: string) => ['--gateway', `http://${host}:${port}`, '--key', key],
    async statuses(): Promise<Readonly<Record<string, string>>> {
      const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
      const { nodes } = UiExport.parse(await answer.json());
      return Object.fromEntries(nodes.map(({ node_id: id, status }) => [id, status]));
    },
    async [Symbol.asyncDispose]() {
      await plane.dispose();
      rmSync(folder, { recursive: true });
    },
  };
}

describe('a node that the network cuts off', () => {
  it.skipIf(!hasNetNamespaces())(
    'is inactive after five seconds though nobody hangs up, and back when it heals (needs root and ip netns)',
    { timeout: 120_000 },
    async () => {
      await using platform = await startPlatform();
      using network = openNetNamespace();
      const start = (id: string, host: string, wrapper: readonly string[] = []) =>
        startSpikegrid(['node', '--type', 'motor', '--id', id, ...platform.at(host)], wrapper);
      const near = start('near', '127.0.0.1');
      const far = start('far', network.hostAddress, network.wrapper);
      try {
        await Promise.all([near, far].map((node) => node.until(/ joined /)));
        await vi.waitFor(
          async () => expect(await platform.statuses()).toEqual({ near: 'active', far: 'active' }),
          SOON,
        );

        network.pull();
        const pulledAt = performance.now();
        await vi.waitFor(
          async () =>
            expect(await platform.statuses()).toEqual({ near: 'active', far: 'inactive' }),
          SOON,
        );
        expect(performance.now() - pulledAt).toBeLessThan(WELL_BEFORE_KEEP_ALIVE_MS);

        network.plug();
        await vi.waitFor(
          async () => expect(await platform.statuses()).toEqual({ near: 'active', far: 'active' }),
          SOON,
        );
      } finally {
        for (const { process } of [near, far]) process.kill('SIGKILL');
        await Promise.all([near.ended, far.ended]);
      }
    },
  );
});
