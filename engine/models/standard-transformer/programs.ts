import { differentiate } from '../../ops/gradients.ts';
import { Graph } from '../../graph/graph.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import { adamW } from '../../ops/adamw.ts';
import { keep } from '../../ops/keep.ts';
import { clockInput, ratesInput } from '../../ops/step-inputs.ts';
import { type LossRule, nextTokens, type StepRules } from '../language/loss-rule.ts';
import { type EvaluateProgram, HISTORY_SLOTS, type TextStep } from '../language/text-programs.ts';
import { addPrior, priorInput } from '../language/ngram-prior.ts';
import type { WindowProgram } from '../language/text-scorers.ts';
import { type Product, transformerLogits, wholeSequences } from './forward.ts';
import type { TransformerStructure } from './structure.ts';

/** Forward, backward and optimiser: one step of training on `batch` whole sequences. */
export function traceTransformerTraining(
  layout: ParameterLayout,
  structure: TransformerStructure,
  batch: number,
  { lossOf, beta1, beta2, epsilon }: StepRules,
): TextStep {
  const graph = new Graph('train', layout);
  const { loss, ...inputs } = traceLoss(graph, structure, batch, { lossOf });
  const rates = ratesInput(graph);
  const norms = graph.local('norms', 'f32', [HISTORY_SLOTS]);
  differentiate(graph, loss);
  adamW(graph, { beta1, beta2, epsilon }, { rates, clock: inputs.clock, norms });
  return { program: graph.build(), ...inputs, rates, norms };
}

/** `multiplyFor` makes the products of the forward pass, where they are others than those of numbers. */
export function traceTransformerEvaluation(
  layout: ParameterLayout,
  structure: TransformerStructure,
  batch: number,
  multiplyFor?: (graph: Graph) => Product | undefined,
): EvaluateProgram {
  const graph = new Graph('evaluate', layout);
  const multiply = multiplyFor?.(graph);
  const options = multiply ? { multiply } : {};
  const { loss: _, ...inputs } = traceLoss(graph, structure, batch, options);
  return { program: graph.build(), ...inputs, layers: [] };
}

/** Logits of `batch` whole sequences. */
export function traceTransformerScoring(
  layout: ParameterLayout,
  structure: TransformerStructure,
  batch: number,
): WindowProgram {
  const graph = new Graph('score', layout);
  const ids = graph.local('ids', 'u32', [batch * structure.sequence]);
  const mixing = wholeSequences(graph, structure);
  const logits = keep(graph, 'kept logits', transformerLogits({ graph, structure, mixing }, ids));
  return { program: graph.build(), ids, logits, layers: [] };
}

interface LossOptions {
  readonly multiply?: Product;
  readonly lossOf?: LossRule | undefined;
}

function traceLoss(
  graph: Graph,
  structure: TransformerStructure,
  batch: number,
  { multiply, lossOf = nextTokens }: LossOptions,
) {
  const rows = batch * structure.sequence;
  const ids = graph.local('ids', 'u32', [rows]);
  const targets = graph.local('targets', 'u32', [rows]);
  const clock = clockInput(graph);
  const losses = graph.local('loss history', 'f32', [HISTORY_SLOTS]);
  const mixing = wholeSequences(graph, structure);
  const forward = { graph, structure, mixing, ...(multiply && { multiply }) };
  const logits = transformerLogits(forward, ids);
  const prior = priorInput(graph, structure, rows);
  addPrior(graph, logits, prior);
  const loss = lossOf(graph, logits, { ids, targets, prior }, { history: losses, clock });
  return { ids, targets, clock, losses, loss, ...(prior && { prior }) };
}
