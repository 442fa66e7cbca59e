import { EngineError } from '../../engine/index.ts';
import { ProblemError } from '../../edge/contract/problem-error.ts';
import { Problem } from '../../edge/contract/refusal.ts';

const FAILURE = 1;
/** Equations that cannot be read: a fault in a file that was given. */
const BAD_FILE = 2;

/** Says what went wrong in one line for what a user can cause; a bug keeps its stack. Returns the exit code. */
export function reportFailure(error: unknown): number {
  console.error(`spikegrid: ${describeError(error)}`);
  const isBadFile = error instanceof EngineError && error.code === 'invalid-equation';
  return isBadFile ? BAD_FILE : FAILURE;
}

function describeError(error: unknown): string {
  if (isForUsers(error)) return error.message;
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && 'path' in error) return describeFileError(error, String(error.path));
  if (error instanceof TypeError && error.message === 'fetch failed') {
    return `cannot reach the server: ${error.cause instanceof Error ? error.cause.message : 'no answer'}`;
  }
  return error.stack ?? error.message;
}

/** Errors whose message says it all. */
const isForUsers = (error: unknown): error is Error =>
  error instanceof EngineError || error instanceof ProblemError || error instanceof Problem;

function describeFileError(error: Error & { code: unknown }, path: string): string {
  switch (error.code) {
    case 'ENOENT':
      return `${path} does not exist`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `${path} may not be read or written`;
    case 'EISDIR':
      return `${path} is a folder, expected a file`;
    case 'ENOTDIR':
    case 'EEXIST':
      return `${path} is a file, expected a folder`;
    default:
      return error.message;
  }
}
