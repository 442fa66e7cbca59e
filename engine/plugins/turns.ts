/** A queue that runs asynchronous work one piece at a time, whether or not earlier pieces failed. */
export function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let latest: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = latest.then(work);
    latest = turn.catch(() => {});
    return turn;
  };
}
