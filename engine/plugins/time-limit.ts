import { EngineError } from '../errors.ts';

/** Milliseconds that each call of a plugin may take. */
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
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new EngineError('plugin-failed', `${what} did not end within ${ms} ms`));
  }, ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
