import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ControlPlane, startControlPlane } from '../../compute/launcher/control-plane.ts';
import { createGeoClient } from '../../edge/geo/contract/client.ts';
import { runSpikegrid } from './spikegrid-process.ts';
import { ofNode } from '../edge/geo-params.ts';

const folder = mkdtempSync(join(tmpdir(), 'spikegrid-geo-'));

const start = (vars: Readonly<Record<string, unknown>>): Promise<ControlPlane> =>
  startControlPlane({
    configPath: fileURLToPath(new URL('../../wrangler.toml', import.meta.url)),
    host: '127.0.0.1',
    sockets: [{ entrypoint: 'GatewayService', port: 0 }],
    stateDir: folder,
    dashboardDir: folder,
    vars: { AUTH_MODE: 'local', ...vars },
  });

let plane: ControlPlane;
let gateway: string;
beforeAll(async () => {
  plane = await start({});
  gateway = (await plane.address('GatewayService')).origin;
});
afterAll(async () => {
  await plane.dispose();
  rmSync(folder, { recursive: true });
});

const geo = (...args: readonly string[]) => runSpikegrid('geo', ...args, '--gateway', gateway);

describe('spikegrid geo', () => {
  it('shows the regions, what a failover would do, does it, and remembers it', async () => {
    const none = await geo('failover', '--dry-run');
    expect(none.stdout).toContain('ap-northeast-1 -> nobody (epoch 2)');
    expect(none.stdout).toMatch(/^ {2}- {2}us-east-1 +it has no nodes$/m);

    const nodes = createGeoClient({ base: gateway });
    const { host: endpoint } = new URL(gateway);
    await nodes.createNode({ body: { node_id: 'us-1', region_id: 'us-east-1', endpoint } });
    await nodes.heartbeat({ ...ofNode('us-1'), body: {} });
    const plan = await geo('failover', '--dry-run');
    expect(plan.stdout).toContain('ap-northeast-1 -> us-east-1 (epoch 2');
    expect(plan.stdout).toContain('it is the region to be left');
    expect(plan.stdout).toContain('1. us-east-1');

    const done = await geo('failover', '--to', 'eu-west-1', '--reason', 'drill');
    expect(done.stdout).toContain('ap-northeast-1 -> eu-west-1  manual  epoch 2  drill');
    const [status, regions, history] = await Promise.all([
      geo('status'),
      geo('regions'),
      geo('history', '--json'),
    ]);

    expect(status.stdout).toContain('active    eu-west-1 (epoch 2)');
    expect(regions.stdout).toMatch(/^\* eu-west-1 +4 +online +0\/0 nodes/m);
    expect(JSON.parse(history.stdout)).toMatchObject({ triggered_by: 'spikegrid geo', epoch: 2 });
  });

  it('says in one line why not', async () => {
    const refused = await geo('failover', '--to', 'atlantis');

    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('There is no region atlantis.');
  });
});

describe('a platform with a setting that is none', () => {
  it('does not start, and names the value', async () => {
    const started = start({ GEO_NODE_MANAGER: { replication_group_size: 'two' } });

    await expect(started).rejects.toThrow(
      'GEO_NODE_MANAGER/replication_group_size: Invalid input: expected number, received string (got "two")',
    );
    await expect(start({ QUOTAS: { jobs: { owner: -1 } } })).rejects.toThrow(/QUOTAS/);
  });
});
