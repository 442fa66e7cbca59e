import { parentPort, workerData } from 'node:worker_threads';
import { EngineError } from '../../engine/index.ts';
import type { Decoded, ToDecode } from './decode-apart.ts';
import { decodeHdf5 } from './hdf5.ts';

/* The thread of decode-apart.ts. */
const { bytes, name } = workerData as ToDecode;

async function decode(): Promise<Decoded> {
  try {
    return { tree: await decodeHdf5(bytes, name) };
  } catch (error) {
    if (error instanceof EngineError) return { refusal: error.message };
    throw error;
  }
}

parentPort?.postMessage(await decode());
