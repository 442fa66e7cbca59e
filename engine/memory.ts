/**
 * What memory at the edge needs of the engine: texts to embeddings, on one thread of WASM. It is the same in
 * a Worker, in Node and in a page, bytes and all.
 */
import { openWasmBackend } from './backends/wasm/wasm-backend.ts';
import { openTextEmbedder, type TextEmbedder } from './memory/text-embedder.ts';

export { EMBEDDING_SIZE, similarity, type TextEmbedder } from './memory/text-embedder.ts';

/** Loads the embedder: some 4 MB of memory and a few milliseconds, so once and not for each request. */
export async function createTextEmbedder(): Promise<TextEmbedder> {
  return openTextEmbedder(await openWasmBackend({ threads: 1, deterministic: true }));
}
