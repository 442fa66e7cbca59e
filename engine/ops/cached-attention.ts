import { attentionKernels } from '../kernels/attention.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { axesOf, expectShape } from './shapes.ts';
import { headWidthOf } from './softmax-attention.ts';

interface CachedAttentionOptions {
  readonly heads: number;
  /** Places of a sequence in the cache. */
  readonly sequence: number;
  /** `u32[rows]`: `slot * sequence + place` of each row's token. */
  readonly cells: Tensor;
  /** `[slots * sequence, 2 width]`: keys and values of the tokens read so far; those of the rows are added. */
  readonly cache: Tensor;
}

/**
 * `softmaxAttention` for tokens of any sequences, in any number and order: `[1, rows, width]` from query,
 * key and value side by side, `[1, rows, 3 width]`. Keys and values go into the cache first, so that
 * tokens of one sequence may be read together. For inference: it has no gradient.
 */
export function cachedAttention(
  graph: Graph,
  qkv: Tensor,
  { heads, sequence, cells, cache }: CachedAttentionOptions,
): Tensor {
  const { rows, width: triple } = axesOf('cachedAttention', qkv);
  const headWidth = headWidthOf('cachedAttention', triple, heads);
  const width = heads * headWidth;
  const places = cache.shape[0] ?? 0;
  expectShape('cachedAttention qkv', qkv, [1, rows, triple]);
  expectShape('cachedAttention cells', cells, [rows], 'u32');
  expectShape('cachedAttention cache', cache, [places, 2 * width]);
  const part = { rows, width: 2 * width, stride: triple, offset: width };
  graph.call(attentionKernels.cache_rows, { source: qkv, cells, cache }, part);
  const output = graph.scratch('attention', 'f32', [1, rows, width]);
  graph.call(
    attentionKernels.cached_attention,
    { qkv, cells, cache, output },
    { rows, heads, headWidth, sequence, factor: headWidth ** -0.5 },
  );
  return output;
}
