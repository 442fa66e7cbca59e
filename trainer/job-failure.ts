import type { Mismatch } from '../edge/registry/contract/compatibility.ts';
import { ProblemError } from '../edge/contract/problem-error.ts';
import type { JobError } from '../edge/training/contract/job.ts';
import { EngineError, type EngineErrorCode } from '../engine/index.ts';

interface FailureMembers {
  readonly retryable?: boolean;
  /** Of base_model_mismatch. */
  readonly mismatches?: readonly Mismatch[];
}

/** Why a job cannot be trained; the code is that of the job's record. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
  readonly code: string;
  readonly retryable: boolean;

  readonly mismatches: readonly Mismatch[] | undefined;

  constructor(code: string, message: string, how: boolean | FailureMembers = false) {
    super(message);
    const { retryable = false, mismatches } = typeof how === 'boolean' ? { retryable: how } : how;
    this.code = code;
    this.retryable = retryable;
    this.mismatches = mismatches;
  }
}

/** The lease has passed to another trainer, so results of this one are discarded. */
class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Whether the service reports that this trainer no longer holds the job. */
export function isLost(error: unknown): boolean {
  if (error instanceof LeaseLost) return true;
  const codes = ['stale_lease', 'job_not_found', 'job_terminal'];
  return error instanceof ProblemError && codes.includes(error.code);
}

/** Whether the service rejects this trainer: its key was revoked, or lacks a scope. */
export const isRefusal = (error: unknown): error is ProblemError =>
  error instanceof ProblemError && (error.status === 401 || error.status === 403);

const CODES: Partial<Record<EngineErrorCode, string>> = {
  'text-too-short': 'dataset_invalid',
  'text-invalid': 'dataset_invalid',
  'unknown-character': 'vocabulary_overflow',
  'out-of-memory': 'gpu_out_of_memory',
  diverged: 'diverged',
  'invalid-setting': 'invalid_structure',
  'invalid-structure': 'invalid_structure',
  'checkpoint-mismatch': 'checkpoint_mismatch',
  'checkpoint-damaged': 'checkpoint_damaged',
  'checkpoint-missing': 'checkpoint_damaged',
  'storage-full': 'storage_full',
};

/** Codes that may not occur on another trainer. */
const RETRYABLE: ReadonlySet<string> = new Set(['gpu_out_of_memory', 'storage_full']);

/** The job error in the record for an exception. */
export function jobErrorOf(error: unknown): JobError {
  if (error instanceof JobFailure) {
    const { code, retryable, mismatches } = error;
    const message = withoutPaths(error.message);
    return { code, message, retryable, ...(mismatches && { mismatches: [...mismatches] }) };
  }
  const code = (error instanceof EngineError && CODES[error.code]) || systemCodeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  return { code, message: withoutPaths(message), retryable: RETRYABLE.has(code) };
}

function systemCodeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'storage_full' : 'runtime_error';
}

const MAX_MESSAGE_LENGTH = 1000;

/** Others than the machine's owner read records, so local paths are removed. */
function withoutPaths(message: string): string {
  const paths = /(?<![\w:/.])(?:file:\/\/|[A-Za-z]:)?(?:[\\/][^\s\\/:'"(),]+){2,}/g;
  return message
    .replace(paths, (path) => path.split(/[\\/]/).at(-1) ?? '')
    .slice(0, MAX_MESSAGE_LENGTH);
}
