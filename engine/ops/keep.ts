import { memoryKernels } from '../kernels/memory.ts';
import type { Graph } from '../graph/graph.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';

/** Copies scratch into a persistent tensor, so that the host can read it after the play. */
export function keep(graph: Graph, name: string, source: Tensor): Tensor {
  const target = graph.local(name, source.dtype, source.shape);
  graph.call(memoryKernels.copy, { source, target }, { count: wordCount(source) });
  return target;
}
