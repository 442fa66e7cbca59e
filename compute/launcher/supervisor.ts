import type { ChildProcess } from 'node:child_process';
import type { CompanionProcess } from '../../edge/health/contract/health.ts';

/** How soon a process that ended is started again: twice as late each time, up to a limit. */
export interface RestartPolicy {
  readonly firstMs: number;
  readonly maxMs: number;
  /** A process that ran for so long counts as well again: its next restart comes as soon as the first. */
  readonly healthyMs: number;
}

const RESTARTS: RestartPolicy = { firstMs: 500, maxMs: 60_000, healthyMs: 60_000 };

/** A process that is started again whenever it ends, until it is stopped. */
export interface Supervised {
  state(): CompanionProcess;
  /** The one that runs now; undefined while it is down. */
  current(): ChildProcess | undefined;
  /** From here on it is not started again; the one that runs is left to the caller. */
  release(): void;
}

interface SupervisedOptions {
  readonly name: string;
  /** Starts the process; called again for each restart. */
  readonly start: () => ChildProcess;
  /** Told of each end and of what follows. */
  readonly onExit: (text: string) => void;
  readonly policy?: RestartPolicy;
}

/** Starts a process and starts it again with a growing delay each time that it ends. */
export function supervise({
  name,
  start,
  onExit,
  policy = RESTARTS,
}: SupervisedOptions): Supervised {
  let current: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isReleased = false;
  let failures = 0;
  let restarts = 0;
  let exit: { readonly how: string; readonly at: number; readonly next: number } | undefined;

  function run() {
    const startedAt = performance.now();
    const child = start();
    current = child;
    const ended = (how: string) => {
      if (current !== child) return;
      current = undefined;
      if (isReleased) return;
      failures = performance.now() - startedAt >= policy.healthyMs ? 1 : failures + 1;
      later(how, delayMs(policy, failures));
    };
    child.once('exit', (code, signal) => ended(exitText(code, signal)));
    // Where the program itself cannot be started there is no exit.
    child.once('error', (error) => ended(error.message));
  }

  function later(how: string, delay: number) {
    exit = { how, at: Date.now(), next: Date.now() + delay };
    timer = setTimeout(() => {
      restarts += 1;
      run();
    }, delay);
    onExit(`${name} ended (${how}); restart ${restarts + 1} in ${delay / 1000} s`);
  }

  run();
  return {
    current: () => current,
    release() {
      isReleased = true;
      clearTimeout(timer);
    },
    state: () => ({
      name,
      status: current ? 'running' : 'down',
      restarts,
      last_exit: exit?.how ?? null,
      last_exit_at: exit ? new Date(exit.at).toISOString() : null,
      next_start_at: exit && !current ? new Date(exit.next).toISOString() : null,
    }),
  };
}

const delayMs = ({ firstMs, maxMs }: RestartPolicy, failures: number) =>
  Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 20));

/** How a process ended: the signal's name, or its exit code. */
const exitText = (code: number | null, signal: NodeJS.Signals | null): string =>
  signal ?? `exit code ${code}`;

/** State of a runtime that restarts itself: it is only counted. */
export function countRestarts(name: string, onExit: (text: string) => void) {
  let restarts = 0;
  let running = 0;
  let last: { readonly how: string; readonly at: string } | undefined;
  let isReleased = false;
  return {
    watch(child: ChildProcess) {
      running += 1;
      if (last) restarts += 1;
      child.once('exit', (code, signal) => {
        running -= 1;
        if (isReleased) return;
        last = { how: exitText(code, signal), at: new Date().toISOString() };
        onExit(`${name} ended (${last.how})`);
      });
    },
    release() {
      isReleased = true;
    },
    state: (): CompanionProcess => ({
      name,
      status: running > 0 ? 'running' : 'down',
      restarts,
      last_exit: last?.how ?? null,
      last_exit_at: last?.at ?? null,
      next_start_at: null,
    }),
  };
}
