import type { Graph } from '../../graph/graph.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { embedding } from '../../ops/embedding.ts';
import { lif } from '../../ops/lif.ts';
import { linear, spikeLinear } from '../../ops/linear.ts';
import { layerNorm } from '../../ops/norm.ts';
import { addPositions } from '../../ops/positions.ts';
import { joinSequences, sliceSequences } from '../../ops/sequence-rows.ts';
import {
  chronospikeBlocks,
  chronospikeReadout,
  type SpikeSite,
} from '../dense-chronospike/forward.ts';
import { parallelMixing } from '../dense-chronospike/mixing.ts';
import { neuronOptions } from '../dense-chronospike/neurons.ts';
import type { CaptionHooks, CaptionInputs } from '../captioning/caption-model.ts';
import { type MultimodalStructure } from './structure.ts';
import { type Prefix, prefixesOf, prefixTokens } from '../captioning/prefix.ts';

type Visit = (site: SpikeSite) => void;

/**
 * Logits `[1, batch * sequence, vocabulary]` for captions behind their prefixes (spec:
 * SpikingEvoMultiModalLM). One trunk reads, for each pair, the tokens of the image, those of the sound and
 * those of the caption; only the caption's are read out.
 */
export function multimodalLogits(
  graph: Graph,
  structure: MultimodalStructure,
  { prefixes: inputs, ids }: CaptionInputs,
  { visit, drop = (stream) => stream }: CaptionHooks = {},
): Tensor {
  const { trunk, sequence } = structure;
  const prefixes = prefixesOf(structure);
  const direct = embedding(graph, ids, graph.parameter('embed.weight'));
  const parts = prefixes.map((prefix, i) => ({
    input: prefixStream(graph, structure, { prefix, input: inputs[i] as Tensor }, visit),
    rows: prefix.tokens,
  }));
  const text = { input: withTextModality(graph, direct), rows: sequence };
  const joined = joinSequences(graph, [...parts, text], trunk.steps);
  const first = prefixTokens(prefixes);
  const rows = first + sequence;
  const mixing = parallelMixing(graph, trunk, rows);
  const forward = { graph, structure: trunk, mixing, ...(visit && { visit }) };
  const stream = chronospikeBlocks(forward, drop(joined));
  const deep = sliceSequences(graph, { input: stream, rows }, { first, count: sequence });
  return chronospikeReadout(graph, drop(direct), drop(deep));
}

/** The tokens of one modality: `Wout LIF(Win x + position) + modality`, `[T, batch * tokens, width]`. */
function prefixStream(
  graph: Graph,
  structure: MultimodalStructure,
  { prefix, input }: { readonly prefix: Prefix; readonly input: Tensor },
  visit?: Visit,
): Tensor {
  const { modality } = prefix;
  const placed = addPositions(
    graph,
    linear(graph, normalised(graph, modality, input), graph.parameter(`${modality}.in.weight`)),
    graph.parameter(`${modality}.position.weight`),
  );
  return firedTokens(graph, structure, { modality, current: placed }, visit);
}

/**
 * The same for tokens at any place of the prefix, one a row: `positions u32[rows]` says where each stands.
 * For reading a prefix token by token.
 */
export function prefixTokenStream(
  graph: Graph,
  structure: MultimodalStructure,
  tokens: { readonly prefix: Prefix; readonly input: Tensor; readonly positions: Tensor },
  visit?: Visit,
): Tensor {
  const { prefix, input, positions } = tokens;
  const { modality } = prefix;
  const place = embedding(graph, positions, graph.parameter(`${modality}.position.weight`));
  const weight = graph.parameter(`${modality}.in.weight`);
  const current = linear(graph, normalised(graph, modality, input), weight, { residual: place });
  return firedTokens(graph, structure, { modality, current }, visit);
}

/** Tokens of text as the trunk takes them, the same in every time step: `[T, rows, width]`. */
export function textTokenStream(
  graph: Graph,
  { trunk }: MultimodalStructure,
  direct: Tensor,
): Tensor {
  return joinSequences(graph, [{ input: withTextModality(graph, direct), rows: 1 }], trunk.steps);
}

function withTextModality(graph: Graph, direct: Tensor): Tensor {
  // A table of one place: every token stands there.
  return addPositions(graph, direct, graph.parameter('text.modality'));
}

/** Pixels have one scale; cepstral coefficients have one each, and sounds are loud or soft. */
function normalised(graph: Graph, modality: Prefix['modality'], input: Tensor): Tensor {
  if (modality === 'image') return input;
  const of = (part: string) => graph.parameter(`audio.norm.${part}`);
  return layerNorm(graph, input, of('weight'), of('bias'));
}

function firedTokens(
  graph: Graph,
  { trunk }: MultimodalStructure,
  { modality, current }: { readonly modality: Prefix['modality']; readonly current: Tensor },
  visit?: Visit,
): Tensor {
  const spikes = lif(graph, current, neuronOptions(trunk));
  visit?.({ name: `${modality}.in`, current, spikes });
  return spikeLinear(graph, spikes, graph.parameter(`${modality}.out.weight`), {
    bias: graph.parameter(`${modality}.modality`),
  });
}
