import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { supervise, type Supervised } from '../../compute/launcher/supervisor.ts';
import { Health } from '../../edge/health/contract/health.ts';
import { killLaunchers, type Launcher, makeFolders, startLauncher } from './launcher-process.ts';
import { childOf } from './trainer-process.ts';

const ALL = {
  inference: /spikegrid\.js\0serve/,
  trainer: /spikegrid\.js\0trainer/,
  'plugin-host': /spikegrid\.js\0plugin-host/,
} as const;

describe('npm start', () => {
  const folders = { ...makeFolders(), trainer: true, inference: true, plugins: true } as const;
  let launcher: Launcher;
  beforeAll(async () => {
    launcher = await startLauncher(folders);
  }, 60_000);
  afterAll(() => {
    killLaunchers();
    rmSync(join(folders.state, '..'), { recursive: true });
  });

  const pidOf = (command: RegExp) => childOf(launcher.process.pid, command);
  const health = async () => {
    const { status, checks } = Health.parse(
      await (await fetch(`${launcher.gateway}/health`)).json(),
    );
    const found = checks['processes']?.processes ?? [];
    return { status, processes: Object.fromEntries(found.map((one) => [one.name, one])) };
  };

  it('starts what was killed beside the Worker again, and says so in the terminal, /health and the log', async () => {
    // /health says nothing of the processes while the launcher, still starting them, is slow to answer.
    await vi.waitFor(
      async () => {
        const { processes } = await health();
        expect(Object.values(processes).map(({ restarts }) => restarts)).toEqual([0, 0, 0, 0]);
      },
      { timeout: 30_000, interval: 200 },
    );
    const first = Object.values(ALL).map(pidOf);

    for (const pid of first) process.kill(pid!, 'SIGKILL');
    await vi.waitFor(
      async () => {
        const { status, processes } = await health();
        expect(status).toBe('ok');
        for (const name of Object.keys(ALL)) {
          const counted = { status: 'running', restarts: 1, last_exit: 'SIGKILL' };
          expect(processes[name]).toMatchObject({ ...counted, next_start_at: null });
        }
        const models = await fetch(`${launcher.gateway}/inference/models`);
        const plugins = await fetch(`${launcher.gateway}/plugin-host/plugins`);
        expect([models.status, plugins.status]).toEqual([200, 200]);
      },
      { timeout: 60_000, interval: 200 },
    );
    for (const name of Object.keys(ALL)) {
      expect(launcher.output()).toContain(
        `spikegrid: ${name} ended (SIGKILL); restart 1 in 0.5 s\n`,
      );
    }
    await vi.waitFor(async () => {
      const logs = await fetch(`${launcher.gateway}/distributed_brain/logs?source=launcher`);
      expect(await logs.text()).toContain('trainer ended (SIGKILL); restart 1 in 0.5 s');
    });
  }, 120_000);

  it('says in /health that one is down, while it waits ever longer to start it again', async () => {
    // Health is looked at once a second, so what is down for less may not be seen.
    await vi.waitFor(
      async () => {
        const pid = pidOf(ALL.trainer);
        if (pid !== undefined) process.kill(pid, 'SIGKILL');
        const { status, processes } = await health();
        expect(status).toBe('degraded');
        expect(processes['trainer']).toMatchObject({ status: 'down', last_exit: 'SIGKILL' });
      },
      { timeout: 60_000, interval: 200 },
    );
    await vi.waitFor(async () => expect((await health()).status).toBe('ok'), {
      timeout: 60_000,
      interval: 200,
    });
  }, 130_000);

  it('starts workerd again, also where that one is killed before it is ready', async () => {
    const workerdPid = () => pidOf(/workerd/);
    const first = workerdPid()!;

    process.kill(first, 'SIGKILL');
    const second = await vi.waitUntil(
      () => {
        const pid = workerdPid();
        return pid === first ? undefined : pid;
      },
      { timeout: 30_000, interval: 5 },
    );
    process.kill(second, 'SIGKILL');

    await vi.waitFor(
      async () =>
        expect((await health()).processes['workerd']).toMatchObject({
          status: 'running',
          restarts: 2,
          last_exit: 'SIGKILL',
        }),
      { timeout: 60_000, interval: 200 },
    );
  }, 120_000);

  it('killed outright leaves none of the processes that it started again', async () => {
    launcher.process.kill('SIGKILL');
    await launcher.ended();

    await vi.waitFor(() => expect(launcher.alive()).toEqual([]), { timeout: 10_000 });
  });
});

describe('a process that is supervised', () => {
  const policy = { firstMs: 20, maxMs: 80, healthyMs: 5_000 };
  const run = (script: string) => () =>
    spawn(process.execPath, ['-e', script], { stdio: 'ignore' });

  /** The messages about its first `count` exits, after which it is released. */
  function exitsOf(
    count: number,
    start: Parameters<typeof supervise>[0]['start'],
    healthyMs = 5_000,
  ) {
    return new Promise<string[]>((resolve) => {
      const said: string[] = [];
      const one: Supervised = supervise({
        name: 'part',
        start,
        policy: { ...policy, healthyMs },
        onExit: (text) => {
          said.push(text);
          if (said.length < count) return;
          one.release();
          resolve(said);
        },
      });
    });
  }

  it('and keeps dying is tried later and later, up to the limit', async () => {
    expect(await exitsOf(4, run('process.exit(3)'))).toEqual([
      'part ended (exit code 3); restart 1 in 0.02 s',
      'part ended (exit code 3); restart 2 in 0.04 s',
      'part ended (exit code 3); restart 3 in 0.08 s',
      'part ended (exit code 3); restart 4 in 0.08 s',
    ]);
  });

  it('and cannot be started at all is tried later and later, too', async () => {
    const said = await exitsOf(2, () => spawn('/nowhere/spikegrid', [], { stdio: 'ignore' }));

    expect(said).toEqual([
      'part ended (spawn /nowhere/spikegrid ENOENT); restart 1 in 0.02 s',
      'part ended (spawn /nowhere/spikegrid ENOENT); restart 2 in 0.04 s',
    ]);
  });

  it('and ran for long enough begins with the shortest delay again', async () => {
    // With a healthy time of nothing every run was long enough.
    const said = await exitsOf(3, run(''), 0);

    expect(said.map((text) => text.replace(/.* in /, ''))).toEqual(['0.02 s', '0.02 s', '0.02 s']);
  });
});
