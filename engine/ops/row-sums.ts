import { memoryKernels } from '../kernels/memory.ts';
import type { Gradients } from '../graph/gradient-rule.ts';
import type { Graph } from '../graph/graph.ts';
import { words } from '../graph/sizes.ts';
import type { Tensor } from '../graph/tensor.ts';

/** Rows that one line of partial sums covers: few enough lines to add up, enough to spread the work. */
const CHUNK_ROWS = 64;

export interface Partial {
  readonly tensor: Tensor;
  readonly chunk: number;
}

/** Bytes of the scratch of `partialSums`. */
export function partialSumsSize(rows: number, width: number): number {
  return words(Math.ceil(rows / CHUNK_ROWS), width);
}

/** Scratch for sums over `rows` rows in two stages: `[ceil(rows / chunk), width]`. */
export function partialSums(graph: Graph, name: string, rows: number, width: number): Partial {
  const shape = [Math.ceil(rows / CHUNK_ROWS), width];
  return { tensor: graph.scratch(`partial sums of ${name}`, 'f32', shape), chunk: CHUNK_ROWS };
}

/** Adds the lines of partial sums up into the gradient of `tensor`. */
export function reduceInto(
  gradients: Gradients,
  graph: Graph,
  tensor: Tensor,
  sums: Partial,
): void {
  const [rows = 1, width = 1] = sums.tensor.shape;
  gradients.into(tensor, (total, accumulate) =>
    graph.call(
      memoryKernels.reduce_rows,
      { partial: sums.tensor, total },
      { rows, width, accumulate },
    ),
  );
}

/** The gradient of something added to every row: the column sums of `gradient`. */
export function columnSumInto(
  gradients: Gradients,
  graph: Graph,
  tensor: Tensor,
  gradient: Tensor,
): void {
  if (!gradients.needs(tensor)) return;
  const width = tensor.shape[0] ?? 1;
  const rows = gradient.shape.reduce((a, b) => a * b, 1) / width;
  const sums = partialSums(graph, tensor.name, rows, width);
  const attributes = { rows, width, chunk: sums.chunk };
  graph.call(memoryKernels.column_sum, { source: gradient, partial: sums.tensor }, attributes);
  reduceInto(gradients, graph, tensor, sums);
}
