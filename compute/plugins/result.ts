import { EngineError } from './plugin-api.ts';
import type { Result } from './plugin-protocol.ts';

/** Result of some work, as it crosses between a plugin and its host. */
export async function resultOf(work: () => unknown): Promise<Result> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    const code = error instanceof EngineError ? error.code : undefined;
    return { ok: false, code, message: error instanceof Error ? error.message : String(error) };
  }
}
