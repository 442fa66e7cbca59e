/**
 * The engine's interface for sensors at the edge: readings to spikes, on one thread of WASM. It is the same in a
 * Worker, in Node and in a page, bit for bit.
 */
import { openWasmBackend } from './backends/wasm/wasm-backend.ts';
import {
  openReadingCodes,
  type ReadingCodes,
  type ReadingCodesOptions,
} from './encoders/reading-codes.ts';

export type { ReadingCodes } from './encoders/reading-codes.ts';

/** Loads the codes: a few milliseconds, so once and not for each request. */
export async function createReadingCodes(options: ReadingCodesOptions): Promise<ReadingCodes> {
  return openReadingCodes(await openWasmBackend({ threads: 1, deterministic: true }), options);
}
