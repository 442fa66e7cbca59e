/** A queue that runs asynchronous work one piece at a time, whether or not earlier pieces failed. */
export function createPromiseQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let latest: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = latest.then(work);
    latest = result.catch(() => {});
    return result;
  };
}
