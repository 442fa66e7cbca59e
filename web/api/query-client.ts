import { QueryClient } from '@tanstack/react-query';
import { ProblemError } from '../../edge/contract/problem-error.ts';

/** Retries after a failure. */
const RETRIES = 2;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // A refusal stays one; only what the server or the network may do better next time is retried.
        retry: (failures, error) =>
          failures < RETRIES && (error instanceof ProblemError ? error.problem.retryable : true),
        retryDelay: (attempt) => 400 * 2 ** attempt,
        // An offline browser can still reach a gateway on this machine.
        networkMode: 'always',
      },
    },
  });
}
