import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../process/operator-error.ts';

/** SQLite's code for a file that another process has locked. */
const SQLITE_BUSY = 5;

interface StateFolder {
  /** Where workerd keeps objects and files. */
  readonly workerDir: string;
  release(): void;
}

/**
 * Makes the folder and locks it for this process alone: two workerds on the same files break them.
 * The lock is one on an open file, which the system drops when the process ends, however it ends.
 *
 * @throws OperatorError where the folder cannot be written or is in use
 */
export function claimStateFolder(dir: string): StateFolder {
  try {
    mkdirSync(dir, { recursive: true });
  } catch (error) {
    throw unusable(dir, error);
  }
  const lock = openLock(dir);
  return { workerDir: join(dir, 'worker'), release: () => lock.close() };
}

function openLock(dir: string): DatabaseSync {
  try {
    const lock = new DatabaseSync(join(dir, 'lock'));
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
      throw new OperatorError(
        `the state folder ${dir} is in use by another launcher; stop it, or choose another with --state`,
      );
    }
    throw unusable(dir, error);
  }
}

function unusable(dir: string, error: unknown): OperatorError {
  const reason = error instanceof Error ? error.message : String(error);
  return new OperatorError(
    `the state folder ${dir} cannot be written (${reason}); choose another with --state`,
  );
}
