import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { BootstrapKey } from './bootstrap-key.ts';

/** A part of the platform that runs beside it on this machine, in a process of its own. */
export interface LocalProcess {
  readonly process: ChildProcess;
  /** Shows what it says, from here on. */
  show(): void;
  /** Has it end in good order; one that takes too long is ended. */
  stop(): Promise<void>;
}

export interface LocalProcessOptions {
  readonly root: string;
  /** What it is called where its lines are shown. */
  readonly name: string;
  /** The command of `spikegrid` and its options. */
  readonly args: readonly string[];
  /** Where everybody needs a key, the first one is its, too. */
  readonly key: BootstrapKey | undefined;
  readonly patienceMs: number;
}

/** Starts a command of our own. */
export function startLocalProcess({
  root,
  name,
  args,
  key,
  patienceMs,
}: LocalProcessOptions): LocalProcess {
  const cli = join(root, 'compute/cli/main.ts');
  const child = spawn(process.execPath, [cli, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // Its path alone: what a process's environment holds, others may read.
    env: { ...process.env, ...(key && { SPIKEGRID_KEY_FILE: key.path }) },
  });
  // The platform runs without it, too.
  child.on('error', (error) => console.error(`spikegrid: no local ${name}: ${error.message}`));
  let isShown = false;
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (isShown) console.log(`${name}: ${line}`);
  });
  return {
    process: child,
    show: () => {
      isShown = true;
    },
    async stop() {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), patienceMs);
      await gone;
      clearTimeout(late);
    },
  };
}
