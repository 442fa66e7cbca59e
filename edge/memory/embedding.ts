import { createTextEmbedder, type TextEmbedder } from '../../engine/memory.ts';

/** Idle embedders; more than these are closed. */
const free: TextEmbedder[] = [];
const MAX_CACHED = 4;

/**
 * Embeddings of texts: similar where they share n-grams, see docs/design/associative-memory.md.
 *
 * Each request uses an embedder of its own: with a shared one, a request would wait for work that
 * another began, which the runtime takes for a hang. The embedder of a request that is ended
 * early is not reused.
 */
export async function vectorsOf(texts: readonly string[]): Promise<readonly Int8Array[]> {
  const embedder = free.pop() ?? (await createTextEmbedder());
  const vectors = await embedder.embed(texts);
  if (free.length < MAX_CACHED) free.push(embedder);
  else embedder.close();
  return vectors;
}

export async function vectorOf(text: string): Promise<Int8Array> {
  const [vector] = await vectorsOf([text]);
  if (!vector) throw new TypeError('the embedder returned no vector for a text');
  return vector;
}
