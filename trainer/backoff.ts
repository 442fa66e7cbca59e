import { ProblemError } from '../edge/contract/problem-error.ts';

const FIRST_MS = 250;
const MAX_BACKOFF_MS = 15_000;

/** Delay after a number of consecutive failures: exponential, half of it random. */
export function backoffMs(failures: number, random = Math.random()): number {
  const longest = Math.min(MAX_BACKOFF_MS, FIRST_MS * 2 ** Math.min(failures - 1, 16));
  return longest * (0.5 + 0.5 * random);
}

/** Whether a retry may succeed: the service is unavailable or busy, or the connection failed. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ProblemError) return error.problem.retryable;
  // fetch throws a TypeError if nothing responds, and the time limit a TimeoutError.
  return error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError');
}

/** Resolves after a while; earlier, too, where the signal aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      resolve();
    };
    const timer = setTimeout(stop, ms);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
  });
}

export interface RetryOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with each failure that is retried. */
  readonly onFailure?: ((error: unknown, failures: number) => void) | undefined;
}

/** Tries until it succeeds or is refused for good. @throws the refusal, or the signal's reason */
export async function retry<T>(
  attempt: () => Promise<T>,
  { signal, onFailure }: RetryOptions = {},
): Promise<T> {
  for (let failures = 1; ; failures++) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (signal?.aborted || !isTransient(error)) throw error;
      onFailure?.(error, failures);
      await pause(backoffMs(failures), signal);
    }
  }
}
