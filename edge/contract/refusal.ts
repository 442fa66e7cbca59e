import { type ProblemCode, type ProblemDocument, type ProblemItem, PROBLEMS } from './problem.ts';
import { ProblemError } from './problem-error.ts';

/** Begins the error of an object whose tables a newer version of the platform has written. */
export const NEWER_SCHEMA = 'The stored state is newer than this version of the platform';

interface ProblemExtras {
  readonly errors?: readonly ProblemItem[];
  /** Members this code adds to the document. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal: thrown by handlers and turned into an RFC 9457 document in one place. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly extras: ProblemExtras;

  /** `detail` is shown to the caller: it names the offending value and what was expected. */
  constructor(code: ProblemCode, detail: string, extras: ProblemExtras = {}) {
    super(detail);
    this.code = code;
    this.extras = extras;
  }
}

/** A refusal that names one place of the body. */
export function invalid(pointer: string, code: string, detail: string): Problem {
  return new Problem('validation_failed', `${pointer}: ${detail}`, {
    errors: [{ pointer, code, detail }],
  });
}

export interface Occurrence {
  /** The path the caller asked for. */
  readonly instance: string;
  readonly traceId: string;
}

const DISK_FULL =
  'The disk that the platform keeps this on is full, or a database at its limit: nothing was stored. Make room on the disk; while a little is left, deleting models, data sets, checkpoints or memories that nobody needs does so, too. Then send it again.';

/** @param facts sentences about this case */
export const diskFull = (...facts: readonly string[]): Problem =>
  new Problem('insufficient_storage', [DISK_FULL, ...facts].join(' '));

/** As Node, SQLite and the runtime of the edge say it; from there only the text of an error arrives. */
function isDiskFull(error: unknown): boolean {
  const { code, message, cause } = (error ?? {}) as Partial<Error> & { readonly code?: unknown };
  if (code === 'ENOSPC' || code === 'EDQUOT') return true;
  if (/SQLITE_FULL|disk is full|ENOSPC|no space left/i.test(message ?? '')) return true;
  return cause !== undefined && isDiskFull(cause);
}

/** The refusal that a caller sees. Details of internal faults are not disclosed. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isDiskFull(error)) return diskFull();
  const isNewer = error instanceof Error && error.message.startsWith(NEWER_SCHEMA);
  const detail = 'The request failed on our side; the trace id finds it in our log.';
  return new Problem('internal', isNewer ? error.message : detail);
}

/** A refusal as RFC 9457 has it. */
export function problemDocument(
  { code, message, extras }: Problem,
  { instance, traceId }: Occurrence,
): ProblemDocument {
  const kind = PROBLEMS[code];
  return {
    type: `/problems/${code}`,
    title: kind.title,
    status: kind.status,
    detail: message,
    instance,
    code,
    ...(extras.errors && { errors: [...extras.errors] }),
    trace_id: traceId,
    retryable: 'retryable' in kind,
    ...extras.members,
  };
}

/** A refusal of a client's own, before or after a request. */
export function ownProblem(code: ProblemCode, detail: string): ProblemError {
  const { title, status } = PROBLEMS[code];
  return new ProblemError({
    type: `/problems/${code}`,
    title,
    status,
    detail,
    instance: '',
    code,
    trace_id: '',
    retryable: false,
  });
}
