import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { watchOrigin } from '../edge/answer-log.ts';

const main = fileURLToPath(new URL('../../dist/node/launcher.js', import.meta.url));

/** The launcher as a process of its own, in a process group of its own as a terminal would start it. */
export interface Launcher {
  readonly process: ChildProcess & { readonly pid: number };
  readonly gateway: string;
  readonly registry: string;
  /** Its output so far, including stderr. */
  output(): string;
  /** The processes it has started that are still there, itself included. */
  alive(): readonly string[];
  /** Its exit code once it has ended. */
  ended(): Promise<number | null>;
}

export interface LauncherFolders {
  readonly state: string;
  readonly dashboard: string;
  /** Whether the platform trains by itself what is submitted; few tests need that. */
  readonly trainer?: true;
  /** Whether it answers from its models. */
  readonly inference?: true;
  /** Whether it serves plugins. */
  readonly plugins?: true;
}

export function makeFolders(): LauncherFolders {
  const folder = mkdtempSync(join(tmpdir(), 'spikegrid-launcher-'));
  const dashboard = join(folder, 'dashboard');
  mkdirSync(dashboard);
  writeFileSync(join(dashboard, 'index.html'), '<!doctype html><title>spikegrid</title>');
  return { state: join(folder, 'state'), dashboard };
}

const spawned: ChildProcess[] = [];

/** Ends what a failed test left running. */
export function killLaunchers(): void {
  for (const child of spawned.splice(0)) child.kill('SIGKILL');
}

export function spawnLauncher(args: readonly string[], portBase: number): Launcher {
  const mark = randomUUID();
  const child = spawn(process.execPath, [main, '--no-open', ...args], {
    detached: true,
    env: { ...process.env, SPIKEGRID_TEST_MARK: mark },
  });
  spawned.push(child);
  const exited = once(child, 'exit');
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  if (child.pid === undefined) throw new Error('the launcher did not start');
  return {
    process: Object.assign(child, { pid: child.pid }),
    gateway: `http://127.0.0.1:${portBase}`,
    registry: `http://127.0.0.1:${portBase + 3}`,
    output: () => output,
    alive: () => processesMarked(mark),
    ended: async () => (await exited)[0],
  };
}

/** Starts the launcher and waits until it says that it runs. */
export async function startLauncher(
  folders: LauncherFolders,
  more: readonly string[] = [],
): Promise<Launcher> {
  const portBase = await freePortBase();
  const options = ['--port-base', String(portBase), '--state', folders.state, ...more];
  const trainer = folders.trainer ? [] : ['--no-trainer'];
  const inference = folders.inference ? [] : ['--no-inference'];
  const plugins = folders.plugins ? [] : ['--no-plugins'];
  const beside = [...trainer, ...inference, ...plugins];
  const args = [...options, '--dashboard', folders.dashboard, ...beside];
  const launcher = spawnLauncher(args, portBase);
  const ready = vi.waitUntil(() => launcher.output().includes('Ctrl-C'), { timeout: 30_000 });
  await Promise.race([ready, launcher.ended()]);
  if (!launcher.output().includes('Ctrl-C')) throw new Error(launcher.output());
  watchOrigin(new URL(launcher.gateway), '');
  watchOrigin(new URL(launcher.registry), '/registry');
  return launcher;
}

/**
 * A base whose ports are free; nothing keeps them so. They lie below those the system hands out
 * by itself, which the tests that run beside this one take and give back all the time.
 */
export async function freePortBase(): Promise<number> {
  for (;;) {
    const base = randomInt(20_000, 30_000);
    const free = await Promise.all([0, 1, 2, 3, 4, 5].map((offset) => isFree(base + offset)));
    if (free.every(Boolean)) return base;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = once(server, 'listening').then(
    () => true,
    () => false,
  );
  server.listen(port, '127.0.0.1');
  const answer = await listening;
  server.close();
  return answer;
}

/** Every process inherits the mark, those that have lost their parent too. */
function processesMarked(mark: string): readonly string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      if (!/^\d+$/.test(pid)) return [];
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
      const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
      return environment.includes(mark) && command !== '' ? [`${pid} ${command}`] : [];
    } catch {
      // It ended while it was looked at, or it belongs to someone else.
      return [];
    }
  });
}
