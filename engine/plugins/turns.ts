/** Runs one piece of work after the other, whatever becomes of those before it. */
export function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let latest: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = latest.then(work);
    latest = turn.catch(() => {});
    return turn;
  };
}
