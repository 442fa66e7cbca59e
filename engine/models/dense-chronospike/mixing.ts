import type { Graph } from '../../graph/graph.ts';
import { sharedTensor, type Tensor } from '../../graph/tensor.ts';
import { decayTable, spikeAttention, spikeAttentionStep } from '../../ops/spike-attention.ts';
import { tokenShift, tokenShiftStep } from '../../ops/token-shift.ts';
import type { Mixing } from './forward.ts';
import type { ChronospikeStructure } from './structure.ts';

/** Whole sequences at once: for training, validation and images. */
export function parallelMixing(
  graph: Graph,
  { tau, width, heads }: ChronospikeStructure,
  sequence: number,
): Mixing {
  const table = decayTable(tau, width / heads, sequence);
  const decay = graph.constant('decay', [heads, sequence], table);
  return {
    shift: (input, mix) => tokenShift(graph, input, mix, { sequence }),
    attend: (qkv) => spikeAttention(graph, qkv, { heads, sequence, decay }),
  };
}

/** Tensors that carry sequences from one token to the next, a slot for each; programs share them. */
export interface CarriedState {
  readonly slots: number;
  /** The tensor of a name, made when it is first asked for: `[steps, slots, ...shape]`. */
  tensor(name: string, steps: number, shape: readonly number[]): Tensor;
}

export function createCarriedState(slots: number): CarriedState {
  const tensors = new Map<string, Tensor>();
  return {
    slots,
    tensor(name, steps, shape) {
      const tensor = tensors.get(name) ?? sharedTensor(name, 'f32', [steps, slots, ...shape]);
      tensors.set(name, tensor);
      return tensor;
    },
  };
}

/**
 * One token at a time, with a state whose size does not grow: for generation. Row r continues from the
 * state of slot `slots[r]`, see `slotWord`.
 */
export function recurrentMixing(
  graph: Graph,
  { tau, width, heads, steps }: ChronospikeStructure,
  { state: carried, slots }: { readonly state: CarriedState; readonly slots: Tensor },
): Mixing {
  const headWidth = width / heads;
  const decay = graph.constant('decay', [heads, 2], decayTable(tau, headWidth, 2));
  return {
    shift(input, mix, site) {
      const previous = carried.tensor(`${site} previous`, input.shape[0] ?? 1, [width]);
      return tokenShiftStep(graph, input, mix, { slots, previous });
    },
    attend(qkv, block) {
      const shape = [heads, headWidth, headWidth];
      const state = carried.tensor(`blocks.${block}.attention state`, steps, shape);
      return spikeAttentionStep(graph, qkv, { heads, decay, slots, state });
    },
  };
}
