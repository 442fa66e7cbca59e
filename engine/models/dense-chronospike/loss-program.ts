import type { Graph } from '../../graph/graph.ts';
import { sharedTensor, type Tensor } from '../../graph/tensor.ts';
import { clockInput } from '../../ops/step-inputs.ts';
import { type LossRule, nextTokens } from '../language/loss-rule.ts';
import { addPrior, priorInput } from '../language/ngram-prior.ts';
import { chronospikeLogits, type Forward } from './forward.ts';
import { parallelMixing } from './mixing.ts';
import type { ChronospikeStructure } from './structure.ts';
import { type BatchShape, HISTORY_SLOTS, type LossTensors } from '../language/text-programs.ts';

/** Tensors that two programs of a step share. */
export interface SharedStep extends LossTensors {
  readonly rates: Tensor;
  readonly norms: Tensor;
}

/** Inputs and histories that two programs have in common. */
export function sharedStep(
  { vocabulary, ngramOrder = 0 }: ChronospikeStructure,
  { batch, sequence }: BatchShape,
): SharedStep {
  const rows = [batch * sequence];
  const prior = sharedTensor('prior', 'f32', [1, batch * sequence, vocabulary]);
  return {
    ids: sharedTensor('ids', 'u32', rows),
    targets: sharedTensor('targets', 'u32', rows),
    clock: sharedTensor('clock', 'u32', [4]),
    rates: sharedTensor('rates', 'f32', [5]),
    losses: sharedTensor('loss history', 'f32', [HISTORY_SLOTS]),
    norms: sharedTensor('norms', 'f32', [HISTORY_SLOTS]),
    ...(ngramOrder > 0 && { prior }),
  };
}

/** Differences of the forward pass of a loss from a plain one, and shared tensors. */
interface LossOptions extends Partial<Omit<Forward, 'graph' | 'structure'>> {
  readonly tensors?: SharedStep | undefined;
  readonly lossOf?: LossRule | undefined;
}

export function traceLoss(
  graph: Graph,
  structure: ChronospikeStructure,
  { batch, sequence }: BatchShape,
  { tensors, mixing, lossOf = nextTokens, ...options }: LossOptions,
) {
  const rows = batch * sequence;
  const { ids, targets, clock, losses, prior } = tensors ?? {
    ids: graph.local('ids', 'u32', [rows]),
    targets: graph.local('targets', 'u32', [rows]),
    clock: clockInput(graph),
    losses: graph.local('loss history', 'f32', [HISTORY_SLOTS]),
    prior: priorInput(graph, structure, rows),
  };
  const forward = {
    ...options,
    graph,
    structure,
    mixing: mixing ?? parallelMixing(graph, structure, sequence),
  };
  const logits = chronospikeLogits(forward, ids);
  addPrior(graph, logits, prior);
  const loss = lossOf(graph, logits, { ids, targets, prior }, { history: losses, clock });
  return { ids, targets, clock, losses, logits, loss, ...(prior && { prior }) };
}
