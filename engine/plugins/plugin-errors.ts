import { EngineError, type EngineErrorCode } from '../errors.ts';

/** Errors in the caller's request rather than in the plugin. */
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

/** Time limits of the calls of a plugin in milliseconds. */
export interface TimeLimits {
  readonly initialize: number;
  readonly activate: number;
  readonly execute: number;
  readonly deactivate: number;
}

export const timeLimits: TimeLimits = {
  initialize: 30_000,
  activate: 10_000,
  execute: 60_000,
  deactivate: 10_000,
};

/** @throws EngineError plugin-failed where `work` is not done in time; nothing here can stop it */
export async function withinTime<T>(what: string, ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new EngineError('plugin-failed', `${what} did not end within ${ms} ms`));
    }, ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
