import type { Decoded, ToDecode } from './hdf5.ts';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { EngineError, type TreeGroup } from '../../engine/index.ts';

/** Processor time that a file may take, start-up of the thread included, and for each byte of it. */
const PATIENCE_MS = 2000;
const MS_PER_BYTE = 1000 / 2 ** 23;
const LOOK_MS = 100;

/** Older Nodes do not say what a thread has used: the clock does then. A thread that has ended uses nothing any more. */
async function usedMs(thread: Worker, startMs: number): Promise<number> {
  const { cpuUsage }: Partial<Pick<Worker, 'cpuUsage'>> = thread;
  if (!cpuUsage) return performance.now() - startMs;
  const used = await cpuUsage.call(thread).catch(() => undefined);
  return used ? (used.user + used.system) / 1000 : 0;
}

/**
 * Reads an HDF5 file in a thread of its own: some damaged files keep the library busy without end. Throws as
 * `decodeHdf5`, and where the thread dies or takes more processor time than a file of that size may.
 */
export async function decodeIsolated(file: ToDecode, patienceMs = PATIENCE_MS): Promise<TreeGroup> {
  const thread = new Worker(new URL('./hdf5-thread.ts', import.meta.url), { workerData: file });
  const mostMs = Math.round(patienceMs + file.bytes.length * MS_PER_BYTE);
  const late = new AbortController();
  const clock = setInterval(() => void look(), LOOK_MS);
  const startMs = performance.now();
  const look = async () => {
    if ((await usedMs(thread, startMs)) > mostMs) late.abort();
  };
  try {
    const [answer] = (await once(thread, 'message', { signal: late.signal })) as [Decoded];
    if ('tree' in answer) return answer.tree;
    throw new EngineError('checkpoint-damaged', answer.refusal);
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const reason = late.signal.aborted
      ? `reading it did not end within ${mostMs / 1000} s of processor time`
      : String(error);
    throw new EngineError('checkpoint-damaged', `${file.name}: ${reason}`, { cause: error });
  } finally {
    clearInterval(clock);
    await thread.terminate();
  }
}
