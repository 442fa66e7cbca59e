import { parentPort, workerData } from 'node:worker_threads';
import { EngineError } from '../../engine/index.ts';
import { decodeHdf5 } from './hdf5.ts';
import type { Decoded, ToDecode } from './hdf5.ts';

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
