import { ProblemError } from '../../edge/contract/problem-error.ts';
import { enProblems } from '../i18n/en-problems.ts';
import type { Text } from '../i18n/text.ts';

/** An error for people: a sentence, and the details to quote when asking for help. */
export interface Failure {
  readonly title: string;
  /** The server's own words, in English: values and expectations that no catalogue can hold. */
  readonly detail: string | undefined;
  readonly code: string;
  readonly traceId: string | undefined;
  /** True if a retry may succeed. */
  readonly isRetryable: boolean;
}

type ProblemKey = keyof typeof enProblems;

/** Codes that the clients of the contract and `fetch` give themselves. */
const OWN_KEYS: Readonly<Record<string, ProblemKey>> = { invalid_answer: 'problem.malformed' };

/** Says what `error`, as a request threw it, means. */
export function describeFailure(error: unknown, text: Text): Failure {
  if (error instanceof ProblemError) return describeProblem(error, text);
  // fetch rejects with a TypeError, and with no other, when no answer came.
  const isNetwork = error instanceof TypeError;
  return {
    title: text.t(isNetwork ? 'problem.network' : 'problem.unexpected'),
    detail: isNetwork || !(error instanceof Error) ? undefined : error.message,
    code: isNetwork ? 'network' : 'unexpected',
    traceId: undefined,
    isRetryable: true,
  };
}

function describeProblem({ problem, code }: ProblemError, { t }: Text): Failure {
  const key = OWN_KEYS[code] ?? `problem.${code}`;
  const isKnown = isProblemKey(key) && key !== 'problem.unknown';
  return {
    title: isKnown ? t(key) : t('problem.unknown', { code }),
    detail: problem.detail === '' ? undefined : problem.detail,
    code,
    traceId: problem.trace_id === '' ? undefined : problem.trace_id,
    isRetryable: problem.retryable,
  };
}

function isProblemKey(key: string): key is ProblemKey {
  return Object.hasOwn(enProblems, key);
}
