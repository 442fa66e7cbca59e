/** Hands out the device, in the order in which it was asked for. */
export interface Turns {
  /** Runs `task` once all earlier ones have ended, well or badly. */
  take<T>(task: () => Promise<T>): Promise<T>;
}

/**
 * Training, writing and observing share one device, which is quick to queue work on and slow to
 * finish it: without turns, whoever queues most would keep the others waiting.
 */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return {
    take(task) {
      const turn = last.then(task, task);
      last = turn;
      return turn;
    },
  };
}
