import { ProblemError } from '../../../edge/contract/problem-error.ts';

/** Whether an error says that a namespace is not there: it will be once something is stored in it. */
export const isUnknownNamespace = (error: unknown): boolean =>
  error instanceof ProblemError && error.code === 'namespace_not_found';
