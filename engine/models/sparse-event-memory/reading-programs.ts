import { Graph } from '../../graph/graph.ts';
import type { Program } from '../../graph/program.ts';
import { sharedTensor, type Tensor } from '../../graph/tensor.ts';
import { keep } from '../../ops/keep.ts';
import { countSlotSpikes } from '../../ops/lif.ts';
import type { ReadingProgram, SpikingLayer } from '../language/batched-model.ts';
import { type BlockEvents, sparseFeatures, type SparseForward } from './forward.ts';
import type { SparseModel } from './learning.ts';
import { type SparseStructure, synapseShape } from './structure.ts';
import { tiedVocabulary } from './vocabulary.ts';

/** The neurons of each block; a spike of one adds a weight to the currents of its targets. */
export function sparseLayers(structure: SparseStructure): SpikingLayer[] {
  const { width, fanIn } = synapseShape(structure);
  return Array.from({ length: structure.blocks }, (_, block) => ({
    name: `blocks.${block}.neurons`,
    neurons: structure.topK * width,
    fanOut: fanIn,
  }));
}

/**
 * Shared by programs that continue a read: the state of each slot, whose size does not depend on the tokens read,
 * and the spikes of each slot.
 */
interface SparseReadingContext {
  readonly model: SparseModel;
  readonly slots: number;
  /** `u32[slots, layers]` */
  readonly counts: Tensor;
  readonly state: SparseForward['state'];
}

export function createSparseReading(model: SparseModel, slots: number): SparseReadingContext {
  const known = new Map<string, Tensor>();
  return {
    model,
    slots,
    counts: sharedTensor('spike counts', 'u32', [slots, model.structure.blocks]),
    state(name, dtype, shape) {
      const tensor = known.get(name) ?? sharedTensor(name, dtype, shape);
      known.set(name, tensor);
      return tensor;
    },
  };
}

/** Reads a token for each of `rows` sequences: a token costs the same however long its sequence is. */
export function traceSparseToken(
  context: SparseReadingContext,
  rows: number,
  { keepsSpikes = false }: { readonly keepsSpikes?: boolean } = {},
): ReadingProgram {
  const { counts } = context;
  const kept: Tensor[] = [];
  const visit = ({ graph, spikes, block }: TracedEvents, slots: Tensor) => {
    countSlotSpikes(graph, spikes, { slots, counts, layer: block });
    if (keepsSpikes) kept.push(keep(graph, `kept spikes of block ${block}`, spikes));
  };
  const { graph, ids, slots, logits } = traceOn(context, { rows, tokens: 1 }, visit);
  const layers = sparseLayers(context.model.structure);
  return { program: graph.build(), rows, ids, slots, logits, layers, counts, kept };
}

interface SparseChunkProgram {
  readonly program: Program;
  /** `u32[rows * tokens]`, sequence after sequence. */
  readonly ids: Tensor;
  /** `u32[rows]` */
  readonly slots: Tensor;
  /** `[1, rows * tokens, vocabulary]`: for the token after each. */
  readonly logits: Tensor;
}

/** The same for `tokens` tokens of each sequence at a time. */
export function traceSparseChunk(
  context: SparseReadingContext,
  { rows, tokens }: { readonly rows: number; readonly tokens: number },
): SparseChunkProgram {
  const { graph, ids, slots, logits } = traceOn(context, { rows, tokens });
  return { program: graph.build(), ids, slots, logits };
}

type TracedEvents = BlockEvents & { readonly graph: Graph };

function traceOn(
  { model, slots: slotCount, state }: SparseReadingContext,
  { rows, tokens }: { readonly rows: number; readonly tokens: number },
  visit?: (events: TracedEvents, slots: Tensor) => void,
) {
  const graph = new Graph(`read ${rows} x ${tokens}`, model.layout);
  const ids = graph.local('ids', 'u32', [rows * tokens]);
  const slots = graph.local('slots', 'u32', [rows]);
  const vocabulary = tiedVocabulary(graph, model.fixed.codebook);
  const forward: SparseForward = {
    graph,
    structure: model.structure,
    fixed: model.fixed,
    sequences: { sequence: tokens, slots, slotCount },
    state,
    balance: 0,
    visit: (events) => visit?.({ ...events, graph }, slots),
  };
  const features = sparseFeatures(forward, vocabulary.embed(ids));
  const logits = keep(graph, 'kept logits', vocabulary.logits(features));
  return { graph, ids, slots, logits };
}
