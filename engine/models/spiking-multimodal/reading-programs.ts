import { Graph } from '../../graph/graph.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import type { Program } from '../../graph/program.ts';
import { sharedTensor, type Tensor } from '../../graph/tensor.ts';
import { embedding } from '../../ops/embedding.ts';
import { keep } from '../../ops/keep.ts';
import { countSlotSpikes } from '../../ops/lif.ts';
import { type Prefix, prefixesOf } from '../captioning/prefix.ts';
import {
  chronospikeBlocks,
  chronospikeReadout,
  type SpikeSite,
} from '../dense-chronospike/forward.ts';
import {
  type CarriedState,
  createCarriedState,
  recurrentMixing,
} from '../dense-chronospike/mixing.ts';
import { spikingLayers } from '../dense-chronospike/structure.ts';
import type { ReadingProgram, SpikingLayer } from '../language/batched-model.ts';
import { prefixTokenStream, textTokenStream } from './forward.ts';
import type { MultimodalStructure } from './structure.ts';

/** Reads one patch or frame for each row into the state of its slot. */
export interface PrefixReading {
  readonly prefix: Prefix;
  readonly program: Program;
  /** `[1, rows, features]` */
  readonly input: Tensor;
  /** `u32[rows]`: which token of the prefix each is. */
  readonly positions: Tensor;
  /** `u32[rows]`: whose state each row continues from, see `slotWord`. */
  readonly slots: Tensor;
}

/** The layers of the trunk, and behind them the neurons that patches and frames enter by. */
function multimodalLayers({ trunk }: MultimodalStructure): SpikingLayer[] {
  const entry = { name: 'prefix.in', neurons: trunk.width, fanOut: trunk.width };
  return [...spikingLayers(trunk), entry];
}

/** State shared by programs that read on: the state of each slot, and its spikes. */
interface CaptionContext {
  readonly layout: ParameterLayout;
  readonly structure: MultimodalStructure;
  readonly state: CarriedState;
  readonly layers: readonly SpikingLayer[];
  /** `u32[slots, layers]` */
  readonly counts: Tensor;
}

export function createCaptionContext(
  layout: ParameterLayout,
  structure: MultimodalStructure,
  slots: number,
): CaptionContext {
  const layers = multimodalLayers(structure);
  const counts = sharedTensor('spike counts', 'u32', [slots, layers.length]);
  return { layout, structure, state: createCarriedState(slots), layers, counts };
}

/** Counts the spikes of each layer by slot. */
function counting(graph: Graph, { layers, counts }: CaptionContext, slots: Tensor) {
  return ({ name, spikes }: SpikeSite): void => {
    const layer = layers.findIndex((one) => one.name === name);
    countSlotSpikes(graph, spikes, {
      slots,
      counts,
      layer: layer < 0 ? layers.length - 1 : layer,
    });
  };
}

/** Programs that read a patch or a frame for one slot: each costs the same. */
export function tracePrefixReading(context: CaptionContext): PrefixReading[] {
  const { layout, structure, state } = context;
  return prefixesOf(structure).map((prefix) => {
    const graph = new Graph(`read ${prefix.modality}`, layout);
    const input = graph.local('input', 'f32', [1, 1, prefix.features]);
    const positions = graph.local('positions', 'u32', [1]);
    const slots = graph.local('slots', 'u32', [1]);
    const mixing = recurrentMixing(graph, structure.trunk, { state, slots });
    const visit = counting(graph, context, slots);
    const stream = prefixTokenStream(graph, structure, { prefix, input, positions }, visit);
    chronospikeBlocks({ graph, structure: structure.trunk, mixing, visit }, stream);
    return { prefix, program: graph.build(), input, positions, slots };
  });
}

/** Reads one token of a caption for each row and predicts the next. */
export function traceCaptionText(
  context: CaptionContext,
  rows: number,
  { keepsSpikes = false }: { readonly keepsSpikes?: boolean } = {},
): ReadingProgram {
  const { layout, structure, state, layers, counts } = context;
  const { trunk } = structure;
  const graph = new Graph(`${keepsSpikes ? 'observe' : 'read'} text ${rows}`, layout);
  const ids = graph.local('ids', 'u32', [rows]);
  const slots = graph.local('slots', 'u32', [rows]);
  const mixing = recurrentMixing(graph, trunk, { state, slots });
  const kept: Tensor[] = [];
  const count = counting(graph, context, slots);
  const visit = (site: SpikeSite) => {
    count(site);
    if (keepsSpikes) kept.push(keep(graph, `kept spikes of ${site.name}`, site.spikes));
  };
  const direct = embedding(graph, ids, graph.parameter('embed.weight'));
  const tokens = textTokenStream(graph, structure, direct);
  const stream = chronospikeBlocks({ graph, structure: trunk, mixing, visit }, tokens);
  const logits = keep(graph, 'kept logits', chronospikeReadout(graph, direct, stream));
  return { program: graph.build(), rows, ids, slots, logits, layers, counts, kept };
}
