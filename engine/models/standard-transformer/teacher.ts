import type { Graph } from '../../graph/graph.ts';
import { type ParameterLayout, parameterValues } from '../../graph/parameters.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { softmaxAttention } from '../../ops/softmax-attention.ts';
import { transformerLogits } from './forward.ts';
import { placedBy } from './reading-programs.ts';
import type { TransformerStructure } from './structure.ts';

/** A trained transformer that learns no more: its parameters become constants of a program. */
export interface FrozenTransformer {
  readonly structure: TransformerStructure;
  readonly layout: ParameterLayout;
  /** The parameter block. */
  readonly values: Float32Array;
}

/**
 * What a trained transformer says, within the program of another model: logits `[1, rows, vocabulary]`
 * for token ids `u32[rows]`, sequences of `sequence` tokens one after another, at most as long as its own.
 */
export function frozenLogits(
  graph: Graph,
  { structure, layout, values }: FrozenTransformer,
  { ids, sequence }: { readonly ids: Tensor; readonly sequence: number },
): Tensor {
  const rows = ids.shape[0] ?? 0;
  const numbers = Uint32Array.from({ length: rows }, (_, row) => row % sequence);
  const places = graph.constant('places of the teacher', [rows], numbers);
  const parameter = (name: string) => {
    const found = layout.get(name);
    return graph.constant(
      `${name} of the teacher`,
      found.spec.shape,
      parameterValues(found, values),
    );
  };
  const mixing = {
    place: (tokens: Tensor, table: Tensor) => placedBy(graph, tokens, table, places),
    attend: (qkv: Tensor) => softmaxAttention(graph, qkv, { heads: structure.heads, sequence }),
  };
  return transformerLogits({ graph, structure, mixing, parameter }, ids);
}
