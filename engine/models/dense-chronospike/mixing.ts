import type { Graph } from '../../graph/graph.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { decayTable, spikeAttention, spikeAttentionStep } from '../../ops/spike-attention.ts';
import { tokenShift, tokenShiftStep } from '../../ops/token-shift.ts';
import type { Mixing } from './forward.ts';
import type { ChronospikeStructure } from './structure.ts';

/** Whole sequences at once: for training, validation and pictures. */
export function parallelMixing(
  graph: Graph,
  { tau, width, heads }: ChronospikeStructure,
  sequence: number,
): Mixing {
  const table = decayTable(tau, width / heads, sequence);
  const decay = graph.constant('decay', [heads, sequence], table);
  return {
    shift: (input, mix) => tokenShift(graph, input, mix, sequence),
    attend: (qkv) => spikeAttention(graph, qkv, { heads, sequence, decay }),
  };
}

/** Tensors that carry a sequence from one token to the next; zero at its start. */
export interface CarriedState {
  readonly tensors: readonly Tensor[];
}

/** One token at a time, with a state whose size does not grow: for generation. */
export function recurrentMixing(
  graph: Graph,
  { tau, width, heads, steps }: ChronospikeStructure,
  batch: number,
): Mixing & CarriedState {
  const headWidth = width / heads;
  const decay = graph.constant('decay', [heads, 2], decayTable(tau, headWidth, 2));
  const tensors: Tensor[] = [];
  const carry = (name: string, shape: readonly number[]) => {
    const tensor = graph.local(name, 'f32', shape);
    tensors.push(tensor);
    return tensor;
  };
  return {
    tensors,
    shift: (input, mix, site) =>
      tokenShiftStep(graph, input, mix, carry(`${site} previous`, input.shape)),
    attend(qkv, block) {
      const shape = [steps, batch, heads, headWidth, headWidth];
      const state = carry(`blocks.${block}.attention state`, shape);
      return spikeAttentionStep(graph, qkv, { heads, decay, state });
    },
  };
}
