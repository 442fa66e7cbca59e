import { differentiate } from '../../graph/gradients.ts';
import { Graph } from '../../graph/graph.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import type { Program } from '../../graph/program.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { adamW, type AdamWOptions } from '../../ops/adamw.ts';
import { crossEntropy } from '../../ops/cross-entropy.ts';
import { clockInput, ratesInput } from '../../ops/step-inputs.ts';
import { transformerLogits } from './forward.ts';
import type { TransformerStructure } from './structure.ts';

/** Losses and norms kept on the device; read them back before as many plays have passed. */
export const TRANSFORMER_HISTORY_SLOTS = 256;

export interface TransformerTrainProgram {
  readonly program: Program;
  /** `u32[batch * sequence]` */
  readonly ids: Tensor;
  readonly targets: Tensor;
  readonly clock: Tensor;
  readonly rates: Tensor;
  /** `[TRANSFORMER_HISTORY_SLOTS]`: mean nats per token, and global norms of the gradient before clipping. */
  readonly losses: Tensor;
  readonly norms: Tensor;
}

/** Forward, backward and optimiser: one step of training on `batch` whole sequences. */
export function traceTransformerTraining(
  layout: ParameterLayout,
  structure: TransformerStructure,
  batch: number,
  optimiser: AdamWOptions,
): TransformerTrainProgram {
  const graph = new Graph('train', layout);
  const rows = batch * structure.sequence;
  const ids = graph.local('ids', 'u32', [rows]);
  const targets = graph.local('targets', 'u32', [rows]);
  const clock = clockInput(graph);
  const rates = ratesInput(graph);
  const losses = graph.local('loss history', 'f32', [TRANSFORMER_HISTORY_SLOTS]);
  const norms = graph.local('norms', 'f32', [TRANSFORMER_HISTORY_SLOTS]);
  const logits = transformerLogits(graph, structure, ids);
  const loss = crossEntropy(graph, logits, targets, { history: losses, clock });
  differentiate(graph, loss);
  adamW(graph, optimiser, { rates, clock, norms });
  return { program: graph.build(), ids, targets, clock, rates, losses, norms };
}
