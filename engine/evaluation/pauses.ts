/** Work beside a run lets go of the thread this often, ms: less than a frame of a page. */
const SLICE_MS = 12;

/** Called often in long work: a promise to wait for where it is time to let others go on, undefined where it is not. */
export type Pause = () => Promise<void> | undefined;

/** Pauses of work that is cut into slices, and that a signal ends by `AbortError`. */
export function createPauses(signal: AbortSignal): Pause {
  let until = performance.now() + SLICE_MS;
  return () => {
    signal.throwIfAborted();
    if (performance.now() < until) return undefined;
    return new Promise((resolve) => {
      setTimeout(() => {
        until = performance.now() + SLICE_MS;
        resolve();
      }, 0);
    });
  };
}

/** Of work that nobody waits beside. */
export const withoutPauses: Pause = () => undefined;
