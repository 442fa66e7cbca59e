import { type Occurrence, problemDocument, problemOf } from '../contract/refusal.ts';

export { Problem } from '../contract/refusal.ts';

/** The answer to a refusal; what is not a `Problem` is a fault of ours, is logged and says nothing. */
export function problemResponse(error: unknown, occurrence: Occurrence): Response {
  const problem = problemOf(error);
  if (problem !== error) logFault(error, occurrence.instance, occurrence.traceId);
  const document = problemDocument(problem, occurrence);
  return Response.json(document, {
    status: document.status,
    headers: { ...problem.extras.headers, 'content-type': 'application/problem+json' },
  });
}

function logFault(error: unknown, instance: string, traceId: string): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  console.error(
    JSON.stringify({ level: 'error', event: 'fault', instance, trace_id: traceId, text }),
  );
}
