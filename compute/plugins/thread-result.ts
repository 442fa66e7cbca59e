import { EngineError } from './plugin-api.ts';
import type { Result } from './thread-protocol.ts';

/** What came of some work, as it crosses between threads. */
export async function resultOf(work: () => unknown): Promise<Result> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    const code = error instanceof EngineError ? error.code : undefined;
    return { ok: false, code, message: error instanceof Error ? error.message : String(error) };
  }
}
