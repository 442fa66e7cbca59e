import {
  EXIT_CODES,
  onStopSignal,
  STOP_SIGNALS,
  type StopSignal,
} from '../process/stop-signals.ts';

/** The launcher's last words: nobody shall have to guess why a platform is gone. */
interface Ending {
  /** The reason has been said. */
  isExpected(): void;
}

const say = (text: string) => process.stderr.write(`spikegrid: ${text}\n`);

/** From here on no exit is silent: not one by a signal, and not one without a reason. */
export function sayWhyItEnds(): Ending {
  let isSaid = false;
  // Whoever read what it says may go: that is no reason to end, and would leave none to be read.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      isSaid = true;
      say(`stopped by ${signal} before it was ready`);
      process.exit(EXIT_CODES[signal]);
    });
  }
  process.on('uncaughtExceptionMonitor', () => {
    isSaid = true;
  });
  process.on('exit', (code) => {
    if (!isSaid) say(`the launcher ended by itself with exit code ${code}; this is a fault of it`);
  });
  return {
    isExpected() {
      isSaid = true;
    },
  };
}

/**
 * Calls `stop` on the first signal and ends the process when it has settled; the second signal
 * ends it at once. Miniflare's own handlers, which end the process in the middle of that, are
 * taken off, as are those of the start; its cleaning on exit stays.
 */
export function stopOnSignal(stop: () => Promise<void>, ending: Ending): void {
  for (const signal of STOP_SIGNALS) process.removeAllListeners(signal);
  const onFirst = (signal: StopSignal) => {
    ending.isExpected();
    say(`stopping, as it received ${signal} …`);
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        say(`could not stop in good order: ${String(error)}`);
        process.exit(1);
      },
    );
  };
  onStopSignal(onFirst, (signal) => say(`ended at once by a second ${signal}`));
}
