import { createTextEmbedder, type TextEmbedder } from '../../engine/memory.ts';

/** Embedders that nobody is using; more than these are not kept. */
const free: TextEmbedder[] = [];
const MOST_KEPT = 4;

/**
 * Vectors of texts: alike where they share n-grams, see docs/design/associative-memory.md.
 *
 * A request uses an embedder alone: were two to share one, one would wait for what the other began,
 * which the runtime takes for a hang. What a request that is ended early was using does not come back.
 */
export async function vectorsOf(texts: readonly string[]): Promise<readonly Int8Array[]> {
  const embedder = free.pop() ?? (await createTextEmbedder());
  const vectors = await embedder.embed(texts);
  if (free.length < MOST_KEPT) free.push(embedder);
  else embedder.close();
  return vectors;
}

export async function vectorOf(text: string): Promise<Int8Array> {
  const [vector] = await vectorsOf([text]);
  if (!vector) throw new TypeError('the embedder was given a text and answered none');
  return vector;
}
