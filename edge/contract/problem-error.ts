import { ProblemDocument } from './problem-document.ts';

/** A refusal a client received: thrown by the clients of this contract. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: ProblemDocument;

  constructor(problem: ProblemDocument) {
    super(`${problem.title}: ${problem.detail}`);
    this.problem = problem;
  }

  get code(): string {
    return this.problem.code;
  }

  get status(): number {
    return this.problem.status;
  }
}

/** The error in an answer that is not a success; an answer of another kind is described as well as it can be. */
export async function problemErrorOf(answer: Response): Promise<ProblemError> {
  const parsed = ProblemDocument.safeParse(await answer.json().catch(() => undefined));
  if (parsed.success) return new ProblemError(parsed.data);
  return invalidResponse(answer, `expected a problem document with the status ${answer.status}`);
}

/** The error of an answer whose body is not what the contract says. */
export function invalidResponse(answer: Response, detail: string): ProblemError {
  return new ProblemError({
    type: '/problems/invalid_answer',
    title: 'The answer does not follow the contract',
    status: answer.status,
    detail,
    instance: answer.url,
    code: 'invalid_answer',
    trace_id: '',
    retryable: answer.status >= 500,
  });
}
