import { afterAll, expect, it, vi } from 'vitest';
import { killLaunchers, makeFolders, startLauncher } from './launcher-process.ts';
import { childOf } from './trainer-process.ts';

afterAll(killLaunchers);

it('starts workerd again, also where that one is killed before it is ready', async () => {
  const launcher = await startLauncher(makeFolders());
  const workerdPid = () => childOf(launcher.process.pid, /workerd/);
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

  await vi.waitFor(async () => expect((await fetch(`${launcher.gateway}/health`)).ok).toBe(true), {
    timeout: 60_000,
    interval: 200,
  });
}, 120_000);
