import { EngineError, type EngineErrorCode } from '../errors.ts';

/** What a plugin says about what it was asked, rather than about itself. */
const CALLERS: ReadonlySet<EngineErrorCode> = new Set([
  'invalid-setting',
  'shape-mismatch',
  'signal-invalid',
  'out-of-memory',
]);

/** The code of an error that is the caller's to mend; a plugin stays in service with it. */
export function callersCode(code: string | undefined): EngineErrorCode | undefined {
  return [...CALLERS].find((known) => known === code);
}

export const isCallersFault = (error: unknown): error is EngineError =>
  error instanceof EngineError && CALLERS.has(error.code);
