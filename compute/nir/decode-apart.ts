import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { EngineError, type TreeGroup } from '../../engine/index.ts';

/** What the thread is given, and what it answers. */
export interface ToDecode {
  readonly bytes: Uint8Array;
  readonly name: string;
}
export type Decoded = { readonly tree: TreeGroup } | { readonly refusal: string };

const PATIENCE_MS = 60_000;

/**
 * Reads an HDF5 file in a thread of its own: some damaged files keep the library busy for ever. Throws as
 * `decodeHdf5`, and where the thread dies or does not end in time.
 */
export async function decodeApart(file: ToDecode, patienceMs = PATIENCE_MS): Promise<TreeGroup> {
  const thread = new Worker(new URL('./hdf5-thread.ts', import.meta.url), { workerData: file });
  try {
    const signal = AbortSignal.timeout(patienceMs);
    const [answer] = (await once(thread, 'message', { signal })) as [Decoded];
    if ('tree' in answer) return answer.tree;
    throw new EngineError('checkpoint-damaged', answer.refusal);
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const isLate = error instanceof Error && error.name === 'AbortError';
    const reason = isLate ? `reading it did not end within ${patienceMs / 1000} s` : String(error);
    throw new EngineError('checkpoint-damaged', `${file.name}: ${reason}`, { cause: error });
  } finally {
    await thread.terminate();
  }
}
