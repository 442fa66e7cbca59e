import {
  type ProblemCode,
  type ProblemDocument,
  type ProblemItem,
  PROBLEMS,
} from '../contract/problem.ts';

export interface ProblemExtras {
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

export interface Occurrence {
  /** The path the caller asked for. */
  readonly instance: string;
  readonly traceId: string;
}

/** The answer to a refusal; what is not a `Problem` is a fault of ours, is logged and says nothing. */
export function problemResponse(error: unknown, { instance, traceId }: Occurrence): Response {
  const problem =
    error instanceof Problem
      ? error
      : new Problem(
          'internal',
          'The request failed on our side; the trace id finds it in our log.',
        );
  if (problem !== error) logFault(error, instance, traceId);
  const { code, message, extras } = problem;
  const kind = PROBLEMS[code];
  const document: ProblemDocument = {
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
  return Response.json(document, {
    status: kind.status,
    headers: { ...extras.headers, 'content-type': 'application/problem+json' },
  });
}

function logFault(error: unknown, instance: string, traceId: string): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  console.error(
    JSON.stringify({ level: 'error', event: 'fault', instance, trace_id: traceId, text }),
  );
}
