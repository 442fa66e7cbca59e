import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import type { Graph } from '../../graph/graph.ts';
import type { Tensor } from '../../graph/tensor.ts';
import type { AdamWOptions } from '../../ops/adamw.ts';
import { crossEntropy, type LossHistory } from '../../ops/cross-entropy.ts';

/** Tokens of a step, `u32[rows]`, and the token after each. */
interface StepTokens {
  readonly ids: Tensor;
  readonly targets: Tensor;
  /** Log-probabilities of tables, which the logits contain. */
  readonly prior?: Tensor | undefined;
}

/** Traces what a step learns from: a differentiable loss whose mean goes into the history. */
export type LossRule = (
  graph: Graph,
  logits: Tensor,
  tokens: StepTokens,
  history: LossHistory,
) => Tensor;

/** The optimiser, and what a step learns from: the tokens that come next by default. */
export interface StepRules extends AdamWOptions {
  readonly lossOf?: LossRule | undefined;
}

/** The tokens that come next, and nothing else. */
export const nextTokens: LossRule = (graph, logits, { targets }, history) =>
  crossEntropy(graph, logits, targets, history);

/** Learning from what another model says, beside the text (Hinton, Vinyals & Dean 2015). */
export interface Distillation {
  /** A standard_transformer over the same characters, which reads at least as long sequences. */
  readonly teacher: StoredModel;
  /** Its share of the loss, from 0 to 1; the rest is that of the tokens that come next. */
  readonly weight: number;
  /** Divides the logits of both: the higher, the more of what the teacher holds possible is taught. */
  readonly temperature: number;
}
