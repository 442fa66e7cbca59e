import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { Health } from '../../edge/health/contract/health.ts';
import { createRegistryClient } from '../../edge/registry/contract/client.ts';
import {
  freePortBase,
  killLaunchers,
  type Launcher,
  makeFolders,
  spawnLauncher,
  startLauncher,
} from './launcher-process.ts';
import { childOf } from './trainer-process.ts';

const folders = makeFolders();
afterAll(() => {
  killLaunchers();
  rmSync(join(folders.state, '..'), { recursive: true });
});

let latest: Launcher | undefined;

/** A launcher that was left running by another test, else a new one. */
async function running(): Promise<Launcher> {
  const isRunning = latest?.process.exitCode === null && latest.process.signalCode === null;
  if (!latest || !isRunning) latest = await startLauncher(folders);
  return latest;
}

const untilGone = (launcher: Launcher) =>
  vi.waitFor(() => expect(launcher.alive()).toEqual([]), { timeout: 10_000 });

const model = {
  model_id: 'kept',
  name: 'Kept',
  version: '1.0.0',
  model_type: 'language',
  framework: 'spikegrid',
};
const file = { modelId: 'kept', version: '1.0.0', filename: 'model.safetensors' };
const bytes = new Uint8Array(10_000_000).map((_, i) => (i * 31) % 251);
const digestOf = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');

describe('npm start', () => {
  it('killed outright leaves no process, and retains every acknowledged file', async () => {
    const first = await running();
    const client = createRegistryClient({ base: first.registry });
    await client.register(model);
    await client.upload({ ...file, body: bytes });

    first.process.kill('SIGKILL');
    await first.ended();
    const second = await running();
    await untilGone(first);

    const again = createRegistryClient({ base: `${second.gateway}/registry` });
    expect(digestOf(await again.download(file))).toBe(digestOf(bytes));
    expect(await again.getModel({ params: { id: 'kept' } })).toMatchObject({
      files: [{ size_bytes: bytes.byteLength }],
    });
  });

  it('serves the dashboard, the gateway and the registry, and says where', async () => {
    const launcher = await running();

    const health = await (await fetch(`${launcher.gateway}/health`)).json();
    const page = await (await fetch(launcher.gateway)).text();
    const models = await fetch(`${launcher.registry}/models`);

    expect(health).toMatchObject({ status: 'ok', service: 'gateway' });
    expect(page).toContain('<title>spikegrid</title>');
    expect(models.status).toBe(200);
    expect(launcher.output()).toContain(`dashboard   ${launcher.gateway}/\n`);
    expect(launcher.output()).toContain(`registry    ${launcher.registry}/models\n`);
    expect(launcher.alive().some((command) => command.includes('workerd'))).toBe(true);
  });

  it.each(['/openapi.json', '/problems/internal'])(
    'says at %s how to build what another dashboard lacks',
    async (path) => {
      const { gateway } = await running();

      const answer = await fetch(gateway + path);

      expect([answer.status, await answer.json()]).toEqual([
        500,
        expect.objectContaining({
          detail: expect.stringMatching(/no descriptions\/.*npm run build/),
        }),
      ]);
    },
  );

  it('shares its state with no other launcher', async () => {
    await running();
    const portBase = await freePortBase();
    const options = ['--port-base', String(portBase), '--state', folders.state];

    const rival = spawnLauncher([...options, '--dashboard', folders.dashboard], portBase);

    expect(await rival.ended()).toBe(1);
    expect(rival.output()).toBe(
      `spikegrid: the state folder ${folders.state} is in use by another launcher; stop it, or choose another with --state\n`,
    );
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends on %s with everything it started',
    async (signal) => {
      const launcher = await running();

      launcher.process.kill(signal);

      expect(await launcher.ended()).toBe(0);
      expect(launcher.output()).toContain(`spikegrid: stopping, as it received ${signal} …\n`);
      expect(launcher.alive()).toEqual([]);
      await expect(fetch(launcher.gateway)).rejects.toThrow('fetch failed');
    },
  );

  it('ends on Ctrl-C, which a terminal sends to all of its processes', async () => {
    const launcher = await running();

    process.kill(-launcher.process.pid, 'SIGINT');

    expect(await launcher.ended()).toBe(0);
    await untilGone(launcher);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('says that %s ended it before it ran', async (signal) => {
    const portBase = await freePortBase();
    const options = ['--port-base', String(portBase), '--state', join(folders.state, 'early')];
    const launcher = spawnLauncher([...options, '--dashboard', folders.dashboard], portBase);
    // It has begun with its own work; before that the system ends it as any process.
    await vi.waitUntil(() => existsSync(join(folders.state, 'early/lock')), { interval: 5 });

    launcher.process.kill(signal);

    expect(await launcher.ended()).toBe({ SIGTERM: 143, SIGINT: 130 }[signal]);
    expect(launcher.output()).toBe(`spikegrid: stopped by ${signal} before it was ready\n`);
    await untilGone(launcher);
    rmSync(join(folders.state, 'early'), { recursive: true });
  });

  it('says that workerd ended before it was ready', async () => {
    const portBase = await freePortBase();
    const state = join(folders.state, 'unready');
    const options = ['--port-base', String(portBase), '--state', state];
    const launcher = spawnLauncher(
      [...options, '--dashboard', folders.dashboard, '--no-inference'],
      portBase,
    );
    const pid = await vi.waitUntil(() => childOf(launcher.process.pid, /workerd/), {
      timeout: 20_000,
      interval: 1,
    });

    process.kill(pid, 'SIGKILL');

    expect(await launcher.ended()).toBe(1);
    expect(launcher.output()).toContain('spikegrid: workerd ended (SIGKILL)\n');
    // Where it had not read its settings yet, Node says that they could not be written.
    expect(launcher.output()).toMatch(
      /spikegrid: workerd ended before it was ready, try again: |Error: write E[A-Z]+/,
    );
    await untilGone(launcher);
    rmSync(state, { recursive: true });
  });

  it('goes on where whoever read its output is gone', async () => {
    const launcher = await running();
    launcher.process.stdout?.destroy();
    launcher.process.stderr?.destroy();

    // Nobody can read its message about this exit.
    process.kill(childOf(launcher.process.pid, /workerd/)!, 'SIGKILL');

    await vi.waitFor(async () => {
      const { checks } = Health.parse(await (await fetch(`${launcher.gateway}/health`)).json());
      expect(checks['processes']?.processes?.[0]).toMatchObject({ restarts: 1 });
    }, 30_000);
  });

  it('killed by the system reports that through npm', async () => {
    await latest?.process.kill('SIGTERM');
    await latest?.ended();
    const portBase = await freePortBase();
    const options = ['--port-base', String(portBase), '--state', folders.state, '--no-open'];
    const run = fileURLToPath(new URL('../../tools/run.mjs', import.meta.url));
    const wrapper = spawn(process.execPath, [run, 'start', ...options, '--no-trainer']);
    const said = text(wrapper.stderr);
    const pid = await vi.waitUntil(() => childOf(wrapper.pid!, /launcher\.js/), 20_000);

    process.kill(pid!, 'SIGKILL');

    expect(await said).toContain('spikegrid: npm start was ended by SIGKILL, as the system does');
  });

  // The offsets of the gateway and of the registry.
  it.each([0, 3])('names a port that is taken: the base and %i', async (offset) => {
    const portBase = await freePortBase();
    const squatter = createServer().listen(portBase + offset, '127.0.0.1');
    await once(squatter, 'listening');
    const options = ['--port-base', String(portBase), '--state', folders.state];

    const launcher = spawnLauncher([...options, '--dashboard', folders.dashboard], portBase);

    expect(await launcher.ended()).toBe(1);
    expect(launcher.output()).toBe(
      `spikegrid: port ${portBase + offset} on 127.0.0.1 is taken by another program; stop it, or choose others with --port-base\n`,
    );
    await untilGone(launcher);
    squatter.close();
  });

  it('refuses a state folder that cannot be written, in one line', async () => {
    const inside = join(folders.dashboard, 'index.html', 'state');

    const launcher = spawnLauncher(['--state', inside], 8000);

    expect(await launcher.ended()).toBe(1);
    expect(launcher.output()).toMatch(
      /^spikegrid: the state folder .*state cannot be written \(ENOTDIR.*\); choose another with --state\n$/,
    );
    expect(existsSync(inside)).toBe(false);
  });

  it('refuses a dashboard that was not built, in one line', async () => {
    const options = ['--state', folders.state, '--dashboard', folders.state];
    const portBase = await freePortBase();

    const launcher = spawnLauncher([...options, '--port-base', String(portBase)], portBase);

    expect(await launcher.ended()).toBe(1);
    expect(launcher.output()).toBe(
      `spikegrid: --dashboard is "${folders.state}", which holds no index.html\n`,
    );
  });

  it('explains itself', async () => {
    const launcher = spawnLauncher(['--help'], 8000);

    expect(await launcher.ended()).toBe(0);
    expect(launcher.output()).toMatch(/^Usage: npm start -- \[options\]\n/);
  });
});
