import { ProblemError } from '../../../edge/contract/problem-error.ts';
import { EngineError } from '../../../engine/index.ts';
import type { Failure, Outcome } from '../failure.ts';

/** Converts a thrown value into one that can be posted to the page. */
export function toFailure(error: unknown): Failure {
  if (error instanceof EngineError) {
    return { kind: 'engine', code: error.code, message: error.message };
  }
  if (error instanceof ProblemError) return { kind: 'problem', problem: error.problem };
  const message = error instanceof Error ? error.message : String(error);
  // fetch rejects with a TypeError where no answer came, and it says no more.
  if (error instanceof TypeError && /fetch|upload|network|load/i.test(message)) {
    return { kind: 'network', message };
  }
  return { kind: 'unexpected', message };
}

export async function settle<T>(work: Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await work };
  } catch (error) {
    return { ok: false, failure: toFailure(error) };
  }
}
