import type { Graph } from '../../graph/graph.ts';
import type { DType, Tensor } from '../../graph/tensor.ts';
import {
  eventMix,
  eventScan,
  type Experts,
  scanStateShape,
  type Sequences,
  sparseLinear,
} from '../../ops/event-scan.ts';
import { linear } from '../../ops/linear.ts';
import { layerNorm } from '../../ops/norm.ts';
import { expertMask, type Routed, route } from '../../ops/routing.ts';
import type { BlockSynapses, FixedPart } from './fixed-part.ts';
import { inputScale, recurrentGain, type SparseStructure, synapseShape } from './structure.ts';

/** Events of one block. */
export interface BlockEvents extends Routed {
  readonly block: number;
  /** `[1, rows, width]`: what it was given. */
  readonly input: Tensor;
  /** `bits[topK, rows, width]` */
  readonly spikes: Tensor;
}

export interface SparseForward {
  readonly graph: Graph;
  readonly structure: SparseStructure;
  readonly fixed: FixedPart;
  readonly sequences: Sequences;
  /** Room for the state of one block: scratch where sequences begin and end in a play, else lasting. */
  state(name: string, dtype: DType, shape: readonly number[]): Tensor;
  /** Weight of the load-balance term; 0 where nothing is learned. */
  readonly balance: number;
  /** `u32[rows]`: 0 for a token that leaves no trace; all are read by default. */
  readonly mask?: Tensor;
  /** Which spikes are kept in training, `bits[topK, rows, width]`, and what makes up for the others. */
  readonly dropout?: (
    block: number,
    shape: readonly number[],
  ) => { readonly mask: Tensor; readonly factor: number };
  /** Called for every block, in order. */
  readonly visit?: (events: BlockEvents) => void;
}

/** Features `[1, rows, width]` behind the last block for embedded tokens of the same shape. */
export function sparseFeatures(forward: SparseForward, tokens: Tensor): Tensor {
  return forward.fixed.blocks.reduce(
    (stream, synapses, block) => runBlock(forward, stream, synapses, block),
    tokens,
  );
}

/** `h = layerNorm(x + sum_k gate_k dropout(s_k))` */
function runBlock(
  forward: SparseForward,
  input: Tensor,
  synapses: BlockSynapses,
  block: number,
): Tensor {
  const { graph, structure, sequences, balance } = forward;
  const of = (part: string) => graph.parameter(`blocks.${block}.${part}`);
  const { experts: count, topK, routerMemory } = structure;
  const scores = linear(graph, input, of('router.weight'));
  const means = forward.state(`blocks.${block}.route`, 'f32', [sequences.slotCount, count + 1]);
  const { mask: read } = forward;
  const options = { active: topK, memory: routerMemory, state: means, balance, mask: read };
  const { experts, gates } = route(graph, scores, { ...sequences, ...options });
  const spikes = fire(forward, input, { synapses, experts, block });
  forward.visit?.({ block, input, spikes, experts, gates });
  const { mask, factor = 1 } = forward.dropout?.(block, spikes.shape) ?? {};
  const mixed = eventMix(graph, input, spikes, { gates, mask, factor });
  return layerNorm(graph, mixed, of('norm.weight'), of('norm.bias'));
}

/** `i = S_in(x) + S_rec(s[-1]) + x A_down A_up` and the neurons it drives. */
function fire(
  forward: SparseForward,
  input: Tensor,
  {
    synapses,
    experts,
    block,
  }: { readonly synapses: BlockSynapses; readonly experts: Experts; readonly block: number },
): Tensor {
  const { graph, structure, sequences } = forward;
  const of = (part: string) => graph.parameter(`blocks.${block}.${part}`);
  const shape = synapseShape(structure);
  const low = linear(graph, input, of('down.weight'));
  const own = structure.experts > 1 ? expertMask(graph, low, experts, structure.experts) : low;
  const drive = sparseLinear(graph, input, synapses.input, {
    experts,
    scale: inputScale(structure),
    residual: linear(graph, own, of('up.weight')),
  });
  const { slotCount } = sequences;
  const state = forward.state(`blocks.${block}.neurons`, 'u32', scanStateShape(slotCount, shape));
  const { leak, theta } = structure;
  const gain = recurrentGain(structure);
  const options = { ...sequences, experts, state, leak, theta, gain };
  return eventScan(graph, drive, synapses.recurrent, options);
}
