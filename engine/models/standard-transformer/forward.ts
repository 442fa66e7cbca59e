import type { Graph } from '../../graph/graph.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { embedding } from '../../ops/embedding.ts';
import { activation } from '../../ops/activation.ts';
import { linear, type LinearOptions } from '../../ops/linear.ts';
import { layerNorm } from '../../ops/norm.ts';
import { addPositions } from '../../ops/positions.ts';
import { softmaxAttention } from '../../ops/softmax-attention.ts';
import type { TransformerStructure } from './structure.ts';

/** How tokens know their places and see each other: whole sequences at once, or one by one with a cache. */
export interface TransformerMixing {
  /** Adds the vector of each token's place, from the table `[sequence, width]`. */
  place(tokens: Tensor, table: Tensor): Tensor;
  /** Attention within one block from packed queries, keys and values. */
  attend(qkv: Tensor, block: number): Tensor;
}

/** `input x weight` of the parameter `name` (+ bias + residual). */
export type Product = (input: Tensor, name: string, options?: LinearOptions) => Tensor;

interface TransformerForward {
  readonly graph: Graph;
  readonly structure: TransformerStructure;
  readonly mixing: TransformerMixing;
  /** The tensor of a parameter; by default, that of the graph's layout. */
  readonly parameter?: (name: string) => Tensor;
  /** Multiplies with the weight of a name; by default, as numbers of full precision. */
  readonly multiply?: Product;
}

/** The context of the parts of the forward pass, with all defaults filled in. */
interface Pass extends Required<TransformerForward> {
  normalise(stream: Tensor, name: string): Tensor;
}

/** Logits `[1, rows, vocabulary]` for token ids `u32[rows]` (spec: EvoNetLM). Pre-norm; no bias around the attention. */
export function transformerLogits(forward: TransformerForward, ids: Tensor): Tensor {
  const pass = passOf(forward);
  const { graph, mixing, parameter, multiply, normalise } = pass;
  const tokens = embedding(graph, ids, parameter('embed.weight'));
  const stream = transformerBlocks(pass, mixing.place(tokens, parameter('position.weight')));
  return multiply(normalise(stream, 'norm'), 'readout.weight', { bias: parameter('readout.bias') });
}

/** All blocks over a stream `[1, rows, width]` of placed tokens. */
export function transformerBlocks(forward: TransformerForward, placed: Tensor): Tensor {
  const pass = passOf(forward);
  let stream = placed;
  for (let block = 0; block < pass.structure.blocks; block++) {
    stream = attentionPart(pass, stream, block);
    stream = feedForwardPart(pass, stream, block);
  }
  return stream;
}

/** Whole sequences of `sequence` tokens, one after another: for training and validation. */
export function wholeSequences(
  graph: Graph,
  { heads, sequence }: TransformerStructure,
): TransformerMixing {
  return {
    place: (tokens, table) => addPositions(graph, tokens, table),
    attend: (qkv) => softmaxAttention(graph, qkv, { heads, sequence }),
  };
}

function passOf(forward: TransformerForward): Pass {
  const { graph } = forward;
  const parameter = forward.parameter ?? ((name: string) => graph.parameter(name));
  return {
    ...forward,
    parameter,
    multiply:
      forward.multiply ??
      ((input, name, options) => linear(graph, input, parameter(name), options)),
    normalise: (stream, name) =>
      layerNorm(graph, stream, parameter(`${name}.weight`), parameter(`${name}.bias`)),
  };
}

/** `x += Wo attention(Wqkv layerNorm(x))` */
function attentionPart({ mixing, multiply, normalise }: Pass, stream: Tensor, block: number) {
  const name = (part: string) => `blocks.${block}.${part}`;
  const qkv = multiply(normalise(stream, name('norm1')), name('qkv.weight'));
  return multiply(mixing.attend(qkv, block), name('out.weight'), { residual: stream });
}

/** `x += Wdown gelu(Wup layerNorm(x))` */
function feedForwardPart(
  { graph, parameter, multiply, normalise }: Pass,
  stream: Tensor,
  block: number,
): Tensor {
  const name = (part: string) => `blocks.${block}.${part}`;
  const up = multiply(normalise(stream, name('norm2')), name('up.weight'), {
    bias: parameter(name('up.bias')),
  });
  return multiply(activation(graph, up, 'gelu'), name('down.weight'), {
    bias: parameter(name('down.bias')),
    residual: stream,
  });
}
