import { createAssociativeMemory, createTextEmbedder } from '../../engine/memory.ts';

/** Embeds the texts that are posted as JSON, stores them and recalls each from itself. */
async function remember(request: Request): Promise<Response> {
  const texts = (await request.json()) as string[];
  const embedder = await createTextEmbedder();
  const embeddings = await embedder.embed(texts);
  const memory = await createAssociativeMemory({ columns: 8, perColumn: 8 });
  const recalled: unknown[] = [];
  for (const [i, embedding] of embeddings.entries()) {
    if (embedding.some((value) => value !== 0)) await memory.store(texts[i] ?? '', embedding);
  }
  for (const embedding of embeddings) recalled.push(await memory.recall(embedding, 2));
  return Response.json({ embeddings: embeddings.map((one) => [...one]), recalled });
}

// oxlint-disable-next-line import/no-default-export -- the form that the runtime asks for
export default { fetch: remember };
