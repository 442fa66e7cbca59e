import { differentiate } from '../../ops/gradients.ts';
import { Graph } from '../../graph/graph.ts';
import { adamW, type AdamWOptions } from '../../ops/adamw.ts';
import { crossEntropy } from '../../ops/cross-entropy.ts';
import { keep } from '../../ops/keep.ts';
import { countSpikes } from '../../ops/lif.ts';
import { clockInput, ratesInput } from '../../ops/step-inputs.ts';
import type { LayerCount } from '../../train/spike-statistics.ts';
import {
  type BatchShape,
  type EvaluateProgram,
  HISTORY_SLOTS,
  type TextStep,
} from '../language/text-programs.ts';
import { addPrior, priorInput } from '../language/ngram-prior.ts';
import type { WindowProgram } from '../language/text-scorers.ts';
import { sparseFeatures, type SparseForward } from './forward.ts';
import { fromRest, learningForward, type SparseModel, tokenLoss } from './learning.ts';
import { type SparseLearning } from './structure.ts';
import { tiedVocabulary } from './vocabulary.ts';

/** Forward, backward, optimiser, and then the synapses: one step of training. */
export function traceSparseTraining(
  model: SparseModel,
  shape: BatchShape,
  optimiser: AdamWOptions,
  learning: SparseLearning,
): TextStep {
  const graph = new Graph('train', model.layout);
  const rows = shape.batch * shape.sequence;
  const ids = graph.local('ids', 'u32', [rows]);
  const targets = graph.local('targets', 'u32', [rows]);
  const clock = clockInput(graph);
  const rates = ratesInput(graph);
  const losses = graph.local('loss history', 'f32', [HISTORY_SLOTS]);
  const norms = graph.local('norms', 'f32', [HISTORY_SLOTS]);
  const { forward, ...rule } = learningForward(graph, model, shape, { clock, learning });
  const vocabulary = tiedVocabulary(graph, model.fixed.codebook);
  const prior = priorInput(graph, model.structure, rows);
  const loss = tokenLoss(graph, vocabulary, sparseFeatures(forward, vocabulary.embed(ids)), {
    targets,
    prior,
    history: { history: losses, clock },
    negatives: learning.negatives,
    size: model.structure.vocabulary,
  });
  rule.keepMeans();
  differentiate(graph, loss);
  rule.learnSynapses(adamW(graph, optimiser, { rates, clock, norms }));
  return { program: graph.build(), ids, targets, prior, clock, rates, losses, norms };
}

/** The loss by the full softmax, without learning, and the spikes of every neuron. */
export function traceSparseEvaluation(model: SparseModel, shape: BatchShape): EvaluateProgram {
  const graph = new Graph('evaluate', model.layout);
  const { ids, logits, layers } = countedLogits(graph, model, shape);
  const targets = graph.local('targets', 'u32', ids.shape);
  const clock = clockInput(graph);
  const losses = graph.local('loss history', 'f32', [HISTORY_SLOTS]);
  const prior = priorInput(graph, model.structure, ids.shape[0] ?? 0);
  addPrior(graph, logits, prior);
  crossEntropy(graph, logits, targets, { history: losses, clock });
  return { program: graph.build(), ids, targets, prior, clock, losses, layers };
}

/** Logits of windows, and the spikes of every neuron, added up over plays. */
export function traceSparseScoring(model: SparseModel, shape: BatchShape): WindowProgram {
  const graph = new Graph('score', model.layout);
  const { ids, logits, layers } = countedLogits(graph, model, shape);
  const kept = keep(graph, 'kept logits', logits);
  return { program: graph.build(), ids, logits: kept, layers };
}

function countedLogits(graph: Graph, model: SparseModel, shape: BatchShape) {
  const ids = graph.local('ids', 'u32', [shape.batch * shape.sequence]);
  const vocabulary = tiedVocabulary(graph, model.fixed.codebook);
  const { layers, visit } = countBlockSpikes(graph, model.structure.width);
  const forward = { ...fromRest({ graph, ...model }, shape), visit };
  const logits = vocabulary.logits(sparseFeatures(forward, vocabulary.embed(ids)));
  return { ids, logits, layers };
}

/** Counts the spikes of each neuron in the blocks that it visits. */
export function countBlockSpikes(graph: Graph, width: number) {
  const layers: LayerCount[] = [];
  const visit: SparseForward['visit'] = ({ block, spikes }) => {
    const name = `blocks.${block}.neurons`;
    const counts = graph.local(`spikes of ${name}`, 'u32', [width]);
    countSpikes(graph, spikes, counts);
    layers.push({ name, counts });
  };
  return { layers, visit };
}
