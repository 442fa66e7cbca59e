import { kernels } from '../../kernels/kernels.ts';
import { Graph } from '../../graph/graph.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import type { Program } from '../../graph/program.ts';
import { sharedTensor, type Tensor, wordCount } from '../../graph/tensor.ts';
import { cachedAttention } from '../../ops/cached-attention.ts';
import { embedding } from '../../ops/embedding.ts';
import { keep } from '../../ops/keep.ts';
import { type TransformerMixing, transformerLogits } from './forward.ts';
import type { TransformerStructure } from './structure.ts';

/** What programs that read tokens share on the device: keys and values of the sequences they keep. */
export interface KeyValueCache {
  /** Sequences kept. */
  readonly slots: number;
  /** By block: `[slots * sequence, 2 width]`. */
  readonly blocks: readonly Tensor[];
}

export function createKeyValueCache(
  { blocks, sequence, width }: TransformerStructure,
  slots: number,
): KeyValueCache {
  const shape = [slots * sequence, 2 * width];
  return {
    slots,
    blocks: Array.from({ length: blocks }, (_, block) =>
      sharedTensor(`blocks.${block}.keys and values`, 'f32', shape),
    ),
  };
}

/** Reads some tokens of any sequences and predicts the one after each. */
export interface TransformerReading {
  readonly program: Program;
  readonly rows: number;
  /** `u32[rows]`: the tokens to read. */
  readonly ids: Tensor;
  /** `u32[rows]`: the place of each in its sequence. */
  readonly places: Tensor;
  /** `u32[rows]`: `slot * sequence + place` of each, none twice but those that nobody reads. */
  readonly cells: Tensor;
  /** `[1, rows, vocabulary]`: for the token after each. */
  readonly logits: Tensor;
}

export function traceTransformerReading(
  layout: ParameterLayout,
  structure: TransformerStructure,
  cache: KeyValueCache,
  rows: number,
): TransformerReading {
  const graph = new Graph(`read ${rows}`, layout);
  const ids = graph.local('ids', 'u32', [rows]);
  const places = graph.local('places', 'u32', [rows]);
  const cells = graph.local('cells', 'u32', [rows]);
  const mixing = cachedMixing(graph, structure, { cache, places, cells });
  const logits = keep(graph, 'kept logits', transformerLogits({ graph, structure, mixing }, ids));
  return { program: graph.build(), rows, ids, places, cells, logits };
}

interface Cells {
  readonly cache: KeyValueCache;
  readonly places: Tensor;
  readonly cells: Tensor;
}

/** Single tokens of any sequences, which see what the cache holds of theirs. */
function cachedMixing(
  graph: Graph,
  { heads, sequence }: TransformerStructure,
  { cache, places, cells }: Cells,
): TransformerMixing {
  return {
    place: (tokens, table) => placedBy(graph, tokens, table, places),
    attend(qkv, block) {
      // There is one for each block.
      const kept = cache.blocks[block] as Tensor;
      return cachedAttention(graph, qkv, { heads, sequence, cells, cache: kept });
    },
  };
}

/** Adds the vectors of places that are named one by one, `u32[rows]`. Not differentiable. */
export function placedBy(graph: Graph, tokens: Tensor, table: Tensor, places: Tensor): Tensor {
  const placed = embedding(graph, places, table);
  graph.call(kernels.add, { addend: tokens, target: placed }, { count: wordCount(placed) });
  return placed;
}
