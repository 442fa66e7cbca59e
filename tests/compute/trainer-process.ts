import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../../dist/node/spikegrid.js', import.meta.url));

/** A trainer in a process group of its own, as the jobs it starts are. */
export interface TrainerProcess {
  readonly process: ChildProcess & { readonly pid: number };
  readonly name: string;
  output(): string;
  ended(): Promise<number | null>;
  /** Signals the trainer with the job it runs. */
  signalAll(signal: NodeJS.Signals): void;
  /** The process that runs its job, where it has one. */
  jobPid(): number | undefined;
}

export interface TrainerProcessOptions {
  readonly name: string;
  readonly gateway: string;
  /** Where jobs find datasets. */
  readonly data: string;
  readonly output: string;
  readonly region?: string | undefined;
}

/** Starts `spikegrid trainer` on one thread, with the same digits on every machine. */
export function startTrainer({
  name,
  gateway,
  data,
  output: results,
  region,
}: TrainerProcessOptions): TrainerProcess {
  const roots = ['--data', data, '--output', results];
  const device = ['--device', 'wasm', '--threads', '1', '--deterministic'];
  const place = region === undefined ? [] : ['--region', region];
  const who = ['--gateway', gateway, '--name', name, ...place];
  const args = [cli, 'trainer', ...who, ...roots, ...device];
  const child = spawn(process.execPath, args, { detached: true });
  const exited = once(child, 'exit');
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const { pid } = child;
  if (pid === undefined) throw new Error('the trainer did not start');
  return {
    process: Object.assign(child, { pid }),
    name,
    output: () => output,
    ended: async () => (await exited)[0],
    signalAll(signal) {
      try {
        process.kill(-pid, signal);
      } catch (error) {
        // All of it is gone already.
        if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
      }
    },
    jobPid: () => childOf(pid, /job-process/),
  };
}

/** The process that another one has started by a command that matches. */
export function childOf(parent: number, command: RegExp): number | undefined {
  const found = readdirSync('/proc').find((entry) => {
    try {
      const [, ppid] = /\) \S (\d+)/.exec(readFileSync(`/proc/${entry}/stat`, 'latin1')) ?? [];
      if (Number(ppid) !== parent) return false;
      return command.test(readFileSync(`/proc/${entry}/cmdline`, 'latin1'));
    } catch {
      // No process, or one that ended while it was looked at.
      return false;
    }
  });
  return found === undefined ? undefined : Number(found);
}
