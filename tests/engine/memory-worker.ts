import { createTextEmbedder } from '../../engine/memory.ts';

/** Embeds the texts that are posted as JSON. */
async function embed(request: Request): Promise<Response> {
  const texts = (await request.json()) as string[];
  const embedder = await createTextEmbedder();
  const embeddings = await embedder.embed(texts);
  return Response.json(embeddings.map((embedding) => [...embedding]));
}

// oxlint-disable-next-line import/no-default-export -- the form that the runtime asks for
export default { fetch: embed };
