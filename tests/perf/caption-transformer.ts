import type { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters, type ParameterSpec } from '../../engine/graph/parameters.ts';
import type { Tensor } from '../../engine/graph/tensor.ts';
import type {
  CaptionHooks,
  CaptionInputs,
  CaptionModel,
} from '../../engine/models/captioning/caption-model.ts';
import { type MultimodalStructure } from '../../engine/models/spiking-multimodal/structure.ts';
import { prefixesOf, prefixTokens } from '../../engine/models/captioning/prefix.ts';
import {
  transformerBlocks,
  wholeSequences,
} from '../../engine/models/standard-transformer/forward.ts';
import { transformerParameters } from '../../engine/models/standard-transformer/structure.ts';
import { embedding } from '../../engine/ops/embedding.ts';
import { activation } from '../../engine/ops/activation.ts';
import { linear } from '../../engine/ops/linear.ts';
import { layerNorm } from '../../engine/ops/norm.ts';
import { joinSequences, sliceSequences } from '../../engine/ops/sequence-rows.ts';

/**
 * The float baseline of spiking_multimodal: patches through a linear and GELU in front of the caption, blocks
 * of the standard transformer, softmax attention, learned places; the same width, heads, blocks and dropout.
 */
export function floatCaptions(structure: MultimodalStructure, dropout: number): CaptionModel {
  const prefixes = prefixesOf(structure);
  const sequence = prefixTokens(prefixes) + structure.sequence;
  const { width } = structure.trunk;
  const prefixSpecs = prefixes.flatMap(({ modality, features }) => [
    matrix(`${modality}.in.weight`, [features, width], features ** -0.5),
    matrix(`${modality}.out.weight`, [width, width], width ** -0.5),
  ]);
  const specs = [...transformerParameters({ ...structure.trunk, sequence }), ...prefixSpecs];
  return {
    layout: layOutParameters(specs),
    prefixes,
    sequence: structure.sequence,
    vocabulary: structure.trunk.vocabulary,
    ngramOrder: structure.trunk.ngramOrder ?? 0,
    dropout,
    logits: (graph, inputs, hooks) => logits({ graph, structure, sequence }, inputs, hooks),
  };
}

function matrix(name: string, shape: readonly number[], deviation: number): ParameterSpec {
  return { name, shape, initial: { kind: 'normal', deviation }, decayed: true };
}

interface Pass {
  readonly graph: Graph;
  readonly structure: MultimodalStructure;
  /** Of prefix and caption. */
  readonly sequence: number;
}

function logits(
  { graph, structure, sequence }: Pass,
  { prefixes: inputs, ids }: CaptionInputs,
  { drop = (stream) => stream }: CaptionHooks = {},
): Tensor {
  const of = (name: string) => graph.parameter(name);
  const parts = prefixesOf(structure).map(({ modality, tokens }, i) => {
    const patches = linear(graph, inputs[i]!, of(`${modality}.in.weight`));
    return {
      input: linear(graph, activation(graph, patches, 'gelu'), of(`${modality}.out.weight`)),
      rows: tokens,
    };
  });
  const text = { input: embedding(graph, ids, of('embed.weight')), rows: structure.sequence };
  const joined = joinSequences(graph, [...parts, text], 1);
  const trunk = { ...structure.trunk, sequence };
  const mixing = wholeSequences(graph, trunk);
  const placed = drop(mixing.place(joined, of('position.weight')));
  const stream = transformerBlocks({ graph, structure: trunk, mixing }, placed);
  const first = sequence - structure.sequence;
  const read = { first, count: structure.sequence };
  const caption = sliceSequences(graph, { input: stream, rows: sequence }, read);
  const normalised = layerNorm(graph, caption, of('norm.weight'), of('norm.bias'));
  return linear(graph, drop(normalised), of('readout.weight'), { bias: of('readout.bias') });
}
