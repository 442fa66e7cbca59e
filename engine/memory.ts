/**
 * The engine's interface for memory at the edge: texts to embeddings, and a network that recalls them, on one
 * thread of WASM. It is the same in a Worker, in Node and in a page, bytes and all.
 */
import { openWasmBackend } from './backends/wasm/wasm-backend.ts';
import {
  type AssociativeMemory,
  openAssociativeMemory,
  restoreAssociativeMemory,
} from './memory/associative-memory.ts';
import type { AttractorSettings } from './memory/attractor.ts';
import { openTextEmbedder, type TextEmbedder } from './memory/text-embedder.ts';

export {
  type AssociativeMemory,
  capacityOf,
  defaultAttractor,
} from './memory/associative-memory.ts';
export type { AttractorSettings } from './memory/attractor.ts';
export { EMBEDDING_SIZE, similarity, type TextEmbedder } from './memory/text-embedder.ts';

const openBackend = () => openWasmBackend({ threads: 1, deterministic: true });

/** Loads the embedder: some 4 MB of memory and a few milliseconds, so once and not for each request. */
export async function createTextEmbedder(): Promise<TextEmbedder> {
  return openTextEmbedder(await openBackend());
}

/** An empty associative memory; `defaultAttractor` takes some 20 MB, whatever it holds. */
export async function createAssociativeMemory(
  settings?: AttractorSettings,
): Promise<AssociativeMemory> {
  return openAssociativeMemory(await openBackend(), settings);
}

/** An associative memory from its bytes. */
export async function readAssociativeMemory(bytes: Uint8Array): Promise<AssociativeMemory> {
  return restoreAssociativeMemory(await openBackend(), bytes);
}
