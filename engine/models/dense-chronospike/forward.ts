import type { Graph } from '../../graph/graph.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { embedding } from '../../ops/embedding.ts';
import { linear, type LinearOptions, spikeLinear } from '../../ops/linear.ts';
import { layerNorm, rmsNorm } from '../../ops/norm.ts';
import { meanSteps, readoutMix } from '../../ops/readout.ts';
import { fireNeurons, type Site } from './neurons.ts';
import type { ChronospikeStructure } from './structure.ts';

/** A layer of neurons and its spikes. */
export interface SpikeSite extends Site {
  readonly spikes: Tensor;
}

/** How tokens see each other: over a whole sequence at once, or one by one with carried state. */
export interface Mixing {
  /** Mixes each token with the one before; `site` names the shift, such as `blocks.0.shift1`. */
  shift(input: Tensor, mix: Tensor, site: string): Tensor;
  /** Attention within one block from packed queries, keys and values. */
  attend(qkv: Tensor, block: number): Tensor;
}

/** `spikes x weight` of the parameter `name` (+ bias + residual). */
export type SpikeProduct = (spikes: Tensor, name: string, options?: LinearOptions) => Tensor;

export interface Forward {
  readonly graph: Graph;
  readonly structure: ChronospikeStructure;
  readonly mixing: Mixing;
  /** Multiplies spikes with the weight of a name; with the parameter itself by default. */
  readonly multiply?: SpikeProduct;
  /** Makes spikes of the currents of a layer; the structure's neurons do by default. */
  readonly fire?: (site: Site) => Tensor;
  /** Called for every layer of neurons, in order. */
  readonly visit?: (site: SpikeSite) => void;
}

/**
 * Logits `[1, rows, vocabulary]` for token ids `u32[rows]` (spec: SpikingEvoTextLM). What does not
 * change over the time steps is computed once: the embedding, and all up to the first neurons.
 */
export function chronospikeLogits(forward: Forward, ids: Tensor): Tensor {
  const { graph } = forward;
  const direct = embedding(graph, ids, graph.parameter('embed.weight'));
  return chronospikeReadout(graph, direct, chronospikeBlocks(forward, direct));
}

/** All blocks over a stream of whatever tokens, `[T or 1, rows, width]`. */
export function chronospikeBlocks(forward: Forward, tokens: Tensor): Tensor {
  let stream = tokens;
  for (let block = 0; block < forward.structure.blocks; block++) {
    stream = attentionPart(forward, stream, block);
    stream = feedForwardPart(forward, stream, block);
  }
  return stream;
}

/**
 * Logits `[1, rows, vocabulary]` from the embedded tokens and the stream that the blocks made of them. The
 * linear is applied to the mixture of both paths instead of mixing the logits of both: the same function,
 * with half the products.
 */
export function chronospikeReadout(graph: Graph, direct: Tensor, stream: Tensor): Tensor {
  const deep = rmsNorm(graph, meanSteps(graph, stream), graph.parameter('norm.weight'));
  const mixed = readoutMix(graph, direct, deep, graph.parameter('readout_direct_logit_mix'));
  return linear(graph, mixed, graph.parameter('readout.weight'), {
    bias: graph.parameter('readout.bias'),
  });
}

/** `x += Wo LIF(attention(LIF(Wqkv LIF(shift1(layerNorm(x))))))` */
function attentionPart(forward: Forward, stream: Tensor, block: number): Tensor {
  const site = (part: string) => `blocks.${block}.${part}`;
  const input = shifted(forward, stream, block, 1);
  const qkv = multiply(forward, fire(forward, site('in1'), input), site('qkv.weight'));
  const attended = forward.mixing.attend(fire(forward, site('qkv'), qkv), block);
  return multiply(forward, fire(forward, site('attention'), attended), site('out.weight'), {
    residual: stream,
  });
}

/** `x += Wdown LIF(Wup LIF(shift2(layerNorm(x))))` */
function feedForwardPart(forward: Forward, stream: Tensor, block: number): Tensor {
  const of = (part: string) => forward.graph.parameter(`blocks.${block}.${part}`);
  const site = (part: string) => `blocks.${block}.${part}`;
  const input = shifted(forward, stream, block, 2);
  const up = multiply(forward, fire(forward, site('in2'), input), site('up.weight'), {
    bias: of('up.bias'),
  });
  return multiply(forward, fire(forward, site('up'), up), site('down.weight'), {
    bias: of('down.bias'),
    residual: stream,
  });
}

function multiply(
  { graph, multiply: own }: Forward,
  spikes: Tensor,
  name: string,
  options: LinearOptions = {},
): Tensor {
  return own
    ? own(spikes, name, options)
    : spikeLinear(graph, spikes, graph.parameter(name), options);
}

function shifted({ graph, mixing }: Forward, stream: Tensor, block: number, part: 1 | 2): Tensor {
  const of = (name: string) => graph.parameter(`blocks.${block}.${name}${part}`);
  const normalised = layerNorm(
    graph,
    stream,
    graph.parameter(`blocks.${block}.norm${part}.weight`),
    graph.parameter(`blocks.${block}.norm${part}.bias`),
  );
  return mixing.shift(normalised, of('shift'), `blocks.${block}.shift${part}`);
}

function fire(
  { graph, structure, fire: own, visit }: Forward,
  name: string,
  current: Tensor,
): Tensor {
  const spikes = own ? own({ name, current }) : fireNeurons(graph, structure, { name, current });
  visit?.({ name, current, spikes });
  return spikes;
}
