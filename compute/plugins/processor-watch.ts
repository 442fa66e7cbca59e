import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

const CHECK_MS = 500;
/** Processor time of a plugin's own timers in the long run: a fiftieth of a processor. */
const FREE_MS = CHECK_MS / 50;
/** Linux counts processor time in hundredths of a second, whatever its clock. */
const MS_PER_TICK = 10;

interface ProcessorWatch {
  /** Of processor time while nothing is asked, beyond what is free. */
  readonly idleMs: number;
  readonly isAsked: () => boolean;
  readonly onBusy: () => void;
}

/**
 * Follows what a plugin computes while nothing is asked of it; what is asked has time limits of its own.
 * Where there is no /proc it does nothing.
 *
 * @returns what ends it
 */
export function watchProcessor(
  { pid }: ChildProcess,
  { idleMs, isAsked, onBusy }: ProcessorWatch,
): () => void {
  if (pid === undefined || process.platform !== 'linux') return () => {};
  let free = processorMs(pid);
  const timer = setInterval(() => {
    const now = processorMs(pid);
    free = isAsked() ? now : Math.min(now, free + FREE_MS);
    if (now - free > idleMs) onBusy();
  }, CHECK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Of a process and of those that it started; 0 of one that is gone. */
function processorMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Its name, in brackets, may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [user = 0, system = 0] = fields.slice(11, 13).map(Number);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    return children
      .filter((child) => child !== '')
      .reduce((sum, child) => sum + processorMs(Number(child)), (user + system) * MS_PER_TICK);
  } catch {
    return 0;
  }
}
