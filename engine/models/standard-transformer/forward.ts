import type { Graph } from '../../graph/graph.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { embedding } from '../../ops/embedding.ts';
import { gelu } from '../../ops/gelu.ts';
import { linear } from '../../ops/linear.ts';
import { layerNorm } from '../../ops/norm.ts';
import { addPositions } from '../../ops/positions.ts';
import { softmaxAttention } from '../../ops/softmax-attention.ts';
import type { TransformerStructure } from './structure.ts';

/**
 * Logits `[1, rows, vocabulary]` for token ids `u32[rows]`, whole sequences one after another
 * (spec: EvoNetLM). Pre-norm; no bias around the attention.
 */
export function transformerLogits(
  graph: Graph,
  structure: TransformerStructure,
  ids: Tensor,
): Tensor {
  const of = (name: string) => graph.parameter(name);
  const tokens = embedding(graph, ids, of('embed.weight'));
  let stream = addPositions(graph, tokens, of('position.weight'));
  for (let block = 0; block < structure.blocks; block++) {
    stream = attentionPart(graph, structure, stream, block);
    stream = feedForwardPart(graph, stream, block);
  }
  const normalised = layerNorm(graph, stream, of('norm.weight'), of('norm.bias'));
  return linear(graph, normalised, of('readout.weight'), { bias: of('readout.bias') });
}

/** `x += Wo attention(Wqkv layerNorm(x))` */
function attentionPart(
  graph: Graph,
  { heads, sequence }: TransformerStructure,
  stream: Tensor,
  block: number,
): Tensor {
  const of = (part: string) => graph.parameter(`blocks.${block}.${part}`);
  const normalised = layerNorm(graph, stream, of('norm1.weight'), of('norm1.bias'));
  const qkv = linear(graph, normalised, of('qkv.weight'));
  const attended = softmaxAttention(graph, qkv, { heads, sequence });
  return linear(graph, attended, of('out.weight'), { residual: stream });
}

/** `x += Wdown gelu(Wup layerNorm(x))` */
function feedForwardPart(graph: Graph, stream: Tensor, block: number): Tensor {
  const of = (part: string) => graph.parameter(`blocks.${block}.${part}`);
  const normalised = layerNorm(graph, stream, of('norm2.weight'), of('norm2.bias'));
  const up = linear(graph, normalised, of('up.weight'), { bias: of('up.bias') });
  return linear(graph, gelu(graph, up), of('down.weight'), {
    bias: of('down.bias'),
    residual: stream,
  });
}
