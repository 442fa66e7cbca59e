import { memoryKernels } from '../kernels/memory.ts';
import { embeddingKernels } from '../kernels/attention.ts';
import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import { describe, type Tensor, wordCount } from '../graph/tensor.ts';

/**
 * Rows of a table by token id: `[1, rows, width]` from ids `u32[rows]` and a table `[vocab, width]`,
 * or `[1, vocab, width]`.
 * Ids are not checked on the device; an id outside the table reads its last row and trains nothing.
 */
export function embedding(graph: Graph, ids: Tensor, table: Tensor): Tensor {
  const rows = ids.shape[0];
  const [vocabulary, width] = table.shape.slice(-2);
  if (
    ids.dtype !== 'u32' ||
    rows === undefined ||
    vocabulary === undefined ||
    width === undefined
  ) {
    throw new EngineError(
      'shape-mismatch',
      `embedding: expected ids u32[rows] and a table f32[vocab, width], got ${describe(ids)} and ${describe(table)}`,
    );
  }
  const attributes = { rows, width, vocabulary };
  const output = graph.scratch('embedding', 'f32', [1, rows, width]);
  graph.call(embeddingKernels.embedding_forward, { ids, table, output }, attributes);
  graph.differentiable({
    inputs: [table],
    output,
    backward(gradient, gradients) {
      const chain = graph.scratch('token chain', 'u32', [rows]);
      graph.call(embeddingKernels.token_chain, { ids, chain }, { rows });
      gradients.into(table, (tableGradient, accumulate) => {
        const count = wordCount(tableGradient);
        if (!accumulate)
          graph.call(memoryKernels.fill, { target: tableGradient }, { count, value: 0 });
        graph.call(
          embeddingKernels.embedding_backward,
          { ids, chain, gradient, tableGradient },
          attributes,
        );
      });
    },
  });
  return output;
}
