import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import type { AdamWOptions } from '../ops/adamw.ts';
import { crossEntropy, type LossHistory } from '../ops/cross-entropy.ts';

/** What a step reads, `u32[rows]`, and what comes after each token. */
export interface StepTokens {
  readonly ids: Tensor;
  readonly targets: Tensor;
}

/** Traces what a step learns from: a differentiable loss whose mean goes into the history. */
export type LossRule = (
  graph: Graph,
  logits: Tensor,
  tokens: StepTokens,
  history: LossHistory,
) => Tensor;

/** The optimiser, and what a step learns from: the tokens that come next where nothing else is said. */
export interface StepRules extends AdamWOptions {
  readonly lossOf?: LossRule | undefined;
}

/** The tokens that come next, and nothing else. */
export const nextTokens: LossRule = (graph, logits, { targets }, history) =>
  crossEntropy(graph, logits, targets, history);
