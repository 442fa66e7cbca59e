import { parentPort, workerData } from 'node:worker_threads';
import '../process/direct-imports.ts';
import type { Decoded, ToDecode } from './decode-apart.ts';

const { EngineError } = await import('../../engine/index.ts');
const { decodeHdf5 } = await import('./hdf5.ts');

const port = parentPort;
if (!port) throw new Error('hdf5-thread.ts runs in a worker thread');
// Structured cloning takes what decode-apart.ts put in.
const { bytes, name } = workerData as ToDecode;

async function decode(): Promise<Decoded> {
  try {
    return { tree: await decodeHdf5(bytes, name) };
  } catch (error) {
    if (error instanceof EngineError) return { refusal: error.message };
    throw error;
  }
}

const tell = (decoded: Decoded) => port.postMessage(decoded);
tell(await decode());
