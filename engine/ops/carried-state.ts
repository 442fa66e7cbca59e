import { kernels } from '../kernels/kernels.ts';
import type { Graph } from '../graph/graph.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';
import { axesOf, expectSequences, expectShape } from './shapes.ts';

/** The last token of each sequence, `[steps, batch, width]` of `[steps, rows, width]`. */
export function lastTokens(graph: Graph, source: Tensor, sequence: number): Tensor {
  const { steps, rows, width } = axesOf('lastTokens', source);
  expectSequences('lastTokens', rows, sequence);
  const target = graph.scratch('last tokens', 'f32', [steps, rows / sequence, width]);
  const attributes = { rows: (steps * rows) / sequence, width, sequence };
  graph.call(kernels.last_tokens, { source, target }, attributes);
  return target;
}

/** Sets carried `state [steps, batch, …]` to zero for the sequences that begin: where `begins u32[batch]` is not 0. */
export function clearSequences(graph: Graph, begins: Tensor, state: Tensor): void {
  const [steps = 1, batch = 1] = state.shape;
  expectShape('clearSequences begins', begins, [batch], 'u32');
  const width = wordCount(state) / steps / batch;
  graph.call(kernels.clear_sequences, { begins, state }, { steps, batch, width });
}
