import { describe, expect, it } from 'vitest';
import { createAssociativeMemory, createTextEmbedder } from '../../../engine/memory.ts';
import { askWorker } from '../workerd.ts';
import { texts } from './texts.ts';

describe('memory in workerd', () => {
  it('embeds and recalls as it does in Node, bytes and all', async () => {
    const embedder = await createTextEmbedder();
    const embeddings = await embedder.embed(texts);
    const memory = await createAssociativeMemory({ columns: 8, perColumn: 8 });
    for (const [i, embedding] of embeddings.entries()) {
      if (embedding.some((value) => value !== 0)) await memory.store(texts[i]!, embedding);
    }
    const recalled = await Promise.all(embeddings.map((embedding) => memory.recall(embedding, 2)));

    const body = JSON.stringify(texts);
    const answer = await askWorker('memory-worker.ts', { method: 'POST', body });

    expect(answer).toEqual({ embeddings: embeddings.map((one) => [...one]), recalled });
    expect(recalled[0]?.[0]).toEqual({ key: texts[0], overlap: 1 });
  });
});
