import { type ChildProcess, spawn } from 'node:child_process';
import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';

/** Reads the process ids to end, one list a line; acts on the last one when its input closes. */
const SCRIPT = 'while read -r line; do pids=$line; done; [ -z "$pids" ] || kill -9 $pids';

export interface Reaper {
  /** Has another process of ours end with this one, besides every workerd. */
  cover(child: ChildProcess): void;
  /** Calls it off, as everything was stopped in good order; settles when its shell is gone. */
  dismiss(): Promise<void>;
}

/**
 * Sees to it that no workerd outlives this process, not even one killed with no chance to clean
 * up: a shell in a group of its own waits for the pipe to this process to close. Miniflare does
 * not tell which processes it starts, so Node's own channel does, restarts included.
 *
 * `onRuntime` is called with each workerd. On Windows, where there is no such shell, it does nothing.
 */
export function startReaper(onRuntime: (child: ChildProcess) => void = () => {}): Reaper {
  if (process.platform === 'win32') return { cover: () => {}, dismiss: async () => {} };
  const shell = spawn('/bin/sh', ['-c', SCRIPT], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.unref();
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  const alive = new Set<number>();
  const tell = () => shell.stdin.write(`${[...alive].join(' ')}\n`);

  const cover = (child: ChildProcess) => {
    const { pid } = child;
    if (pid === undefined) return;
    alive.add(pid);
    tell();
    child.once('exit', () => {
      alive.delete(pid);
      tell();
    });
  };
  const watch = (message: unknown) => {
    const { process: child } = message as { process: ChildProcess };
    child.once('spawn', () => {
      if (!/workerd[^/]*$/.test(child.spawnfile)) return;
      cover(child);
      onRuntime(child);
    });
  };
  diagnostics.subscribe('child_process', watch);
  return {
    cover,
    dismiss: async () => {
      diagnostics.unsubscribe('child_process', watch);
      if (shell.pid === undefined || shell.exitCode !== null) return;
      const gone = once(shell, 'exit');
      shell.stdin.end('\n');
      await gone;
    },
  };
}
