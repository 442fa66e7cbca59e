import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CompanionProcess } from '../../edge/health/contract/health.ts';
import type { BootstrapKey } from './bootstrap-key.ts';
import { type RestartPolicy, supervise } from './supervisor.ts';

/** A part of the platform that runs beside it on this machine, in a process of its own. */
export interface LocalProcess {
  state(): CompanionProcess;
  /** Shows what it says, from here on. */
  show(): void;
  /** Has it end in good order; one that takes too long is ended. */
  stop(): Promise<void>;
}

/** The launcher's handle on each of them. */
export interface Watch {
  /** Told of each process that is started, so that none is left behind. */
  readonly cover: (child: ChildProcess) => void;
  /** Told of each end and of the restart that follows. */
  readonly onExit: (text: string) => void;
  readonly policy?: RestartPolicy;
}

interface LocalProcessOptions {
  readonly root: string;
  /** Prefix of its lines in the terminal. */
  readonly name: string;
  /** The command of `spikegrid` and its options. */
  readonly args: readonly string[];
  /** Where everybody needs a key, the first one is its, too. */
  readonly key: BootstrapKey | undefined;
  readonly patienceMs: number;
  readonly watch: Watch;
}

/** Starts a command of our own, and again whenever it ends by itself. */
export function startLocalProcess(options: LocalProcessOptions): LocalProcess {
  const { name, watch, patienceMs } = options;
  let isShown = false;
  const start = () => {
    const child = spawnCommand(options);
    watch.cover(child);
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (isShown) console.log(`${name}: ${line}`);
    });
    return child;
  };
  const supervised = supervise({ name, start, ...watch });
  return {
    state: supervised.state,
    show: () => {
      isShown = true;
    },
    async stop() {
      supervised.release();
      const child = supervised.current();
      if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), patienceMs);
      await gone;
      clearTimeout(late);
    },
  };
}

function spawnCommand({ root, args, key }: LocalProcessOptions) {
  const cli = join(root, 'dist/node/spikegrid.js');
  return spawn(process.execPath, [cli, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // Its path alone: what a process's environment holds, others may read.
    env: { ...process.env, ...(key && { SPIKEGRID_KEY_FILE: key.path }) },
  });
}
