import { ErrorState } from './ErrorState.tsx';
import { Skeleton } from './Skeleton.tsx';

export interface WaitingProps {
  /** Why there is nothing yet; undefined while it may still come. */
  readonly error: unknown;
  readonly onRetry: () => void;
  /** The room of what will be there. */
  readonly lines: number;
  readonly lineRem: number;
}

/** What stands where an answer is waited for, or failed. */
export function Waiting({ error, onRetry, lines, lineRem }: WaitingProps) {
  return error ? (
    <ErrorState error={error} onRetry={onRetry} />
  ) : (
    <Skeleton lines={lines} lineRem={lineRem} />
  );
}
