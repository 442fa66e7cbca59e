import { describeFailure, type Failure as Described } from '../../api/failure.ts';
import { ProblemError } from '../../../edge/contract/problem-error.ts';
import type { Failure } from '../../lab/failure.ts';
import type { LabText } from './lab-text.ts';

/** User-facing text of a lab failure. The detail is the engine's own message with the values. */
type FailureWords = Pick<Described, 'title' | 'detail' | 'code'>;

export function failureWords(failure: Failure, text: LabText): FailureWords {
  switch (failure.kind) {
    case 'engine':
      return {
        title: text.t(`failure.${failure.code}`),
        detail: sentence(failure.message),
        code: failure.code,
      };
    case 'problem':
      return describeFailure(new ProblemError(failure.problem), text);
    case 'network':
      return describeFailure(new TypeError(failure.message), text);
    case 'unexpected':
      return describeFailure(new Error(failure.message), text);
  }
}

/** The engine's messages follow a name and start in lowercase: here they are sentences of their own. */
function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1) + (/[.!?]$/.test(message) ? '' : '.');
}
