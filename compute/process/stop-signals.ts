/** Signals that ask a process to end: Ctrl-C, a service manager, a terminal that closes. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type StopSignal = (typeof STOP_SIGNALS)[number];

/** The exit code of a process that a signal ended. */
export const EXIT_CODES: Readonly<Record<StopSignal, number>> = {
  SIGINT: 130,
  SIGTERM: 143,
  SIGHUP: 129,
};

/**
 * One Ctrl-C may arrive several times at once: from the terminal, from npm and from tools/run.mjs,
 * which hand it on. What follows within this time is the same one.
 */
const SAME_SIGNAL_MS = 300;

/**
 * Calls `onFirst` on the first signal; a second one ends the process at once, after `onSecond`.
 * Returns what takes the handlers off again.
 */
export function onStopSignal(
  onFirst: (signal: StopSignal) => void,
  onSecond?: (signal: StopSignal) => void,
): () => void {
  let firstAt: number | undefined;
  const listener = (signal: StopSignal) => {
    const now = performance.now();
    if (firstAt === undefined) {
      firstAt = now;
      onFirst(signal);
    } else if (now - firstAt > SAME_SIGNAL_MS) {
      onSecond?.(signal);
      process.exit(EXIT_CODES[signal]);
    }
  };
  for (const signal of STOP_SIGNALS) process.on(signal, listener);
  return () => {
    for (const signal of STOP_SIGNALS) process.off(signal, listener);
  };
}
