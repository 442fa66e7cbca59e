import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { delimiter, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OutputLog } from './output-log.ts';
import { killTree, type ProcessTree } from './process-tree.ts';

/** Environment of a suite: nothing that could hold a secret. */
const PASSED_ON = ['HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'SystemRoot'];

/** Names the run in its environment, so that all of its processes can be found. */
const MARK = 'SPIKEGRID_TEST_RUN';

/** How long the pipes of a process that has ended are read on. */
const DRAIN_MS = 2_000;

export interface SuiteOptions {
  readonly runId: string;
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly timeLimitMs: number;
  readonly log: OutputLog;
}

export interface SuiteEnd {
  /** The exit code, or a signal's number below zero. */
  readonly returncode: number;
  readonly isLate: boolean;
  /** Why it could not be started, where it could not. */
  readonly fault?: string;
}

export interface SuiteProcess {
  /** @throws the error of the system where the program cannot be started */
  readonly ended: Promise<SuiteEnd>;
  /** Ends it with all of its processes. */
  kill(): void;
}

/** Runs a program in a process group of its own until it ends or its time is over; nothing of it is left then. */
export function startSuite(options: SuiteOptions): SuiteProcess {
  const { runId, argv, cwd, timeLimitMs, log } = options;
  const [file, ...args] = argv;
  const child = spawn(file, args, {
    cwd,
    env: scrubbed(process.env, runId),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const tree: ProcessTree = { pid: child.pid ?? 0, mark: `${MARK}=${runId}` };
  const kill = () => {
    if (child.pid !== undefined) killTree(tree);
  };
  child.stdout.on('data', (bytes: Buffer) => log.append('stdout', bytes));
  child.stderr.on('data', (bytes: Buffer) => log.append('stderr', bytes));
  const closed = once(child, 'close').catch(() => undefined);
  let isLate = false;
  const clock = setTimeout(() => {
    isLate = true;
    kill();
  }, timeLimitMs);
  const ended = once(child, 'exit')
    .then(async ([code, signal]: unknown[]) => {
      // Processes that it left behind would hold its pipes open, and go on.
      kill();
      await Promise.race([closed, sleep(DRAIN_MS, undefined, { ref: false })]);
      return { returncode: returncodeOf(code, signal), isLate };
    })
    .finally(() => {
      clearTimeout(clock);
      child.stdout.destroy();
      child.stderr.destroy();
    });
  return { ended, kill };
}

/** Exit code of a shell for a command that cannot be started. */
const NOT_STARTED = 127;

export const notStarted = (error: unknown): SuiteEnd => ({
  returncode: NOT_STARTED,
  isLate: false,
  fault: `The tests cannot be started: ${error instanceof Error ? error.message : String(error)}.`,
});

/**
 * As a shell's variables, of which only those that say where things are. Tools of a suite that ask for
 * `node` get the one that the host runs on; output is read as text, so it has no colours.
 */
function scrubbed(env: NodeJS.ProcessEnv, runId: string): NodeJS.ProcessEnv {
  const kept = PASSED_ON.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const path = [dirname(process.execPath), env['PATH']].join(delimiter);
  return Object.fromEntries([...kept, ['PATH', path], ['NO_COLOR', '1'], [MARK, runId]]);
}

function returncodeOf(code: unknown, signal: unknown): number {
  if (typeof code === 'number') return code;
  return -(constants.signals[String(signal) as NodeJS.Signals] ?? constants.signals.SIGKILL);
}
