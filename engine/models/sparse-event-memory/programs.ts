import { differentiate } from '../../graph/gradients.ts';
import { Graph } from '../../graph/graph.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import type { Program } from '../../graph/program.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { adamW, type AdamWOptions } from '../../ops/adamw.ts';
import { crossEntropy } from '../../ops/cross-entropy.ts';
import { expertMeans, hebbianUpdate } from '../../ops/event-scan.ts';
import { countSpikes } from '../../ops/lif.ts';
import { slotWord } from '../../ops/slots.ts';
import { clockInput, ratesInput } from '../../ops/step-inputs.ts';
import type { FixedPart } from './fixed-part.ts';
import { type BlockEvents, sparseFeatures, type SparseForward } from './forward.ts';
import type { SparseStructure } from './structure.ts';
import { tiedVocabulary } from './vocabulary.ts';

/** Losses and norms kept on the device; read them back before as many plays have passed. */
export const SPARSE_HISTORY_SLOTS = 256;

/** A model whose programs are to be traced. */
export interface SparseModel {
  readonly structure: SparseStructure;
  readonly layout: ParameterLayout;
  readonly fixed: FixedPart;
}

export interface BatchShape {
  readonly batch: number;
  readonly sequence: number;
}

/** How the model learns, beside the optimiser. */
export interface SparseLearning {
  /** Share of the spikes that are dropped. */
  readonly dropout: number;
  /** Weight of the load-balance term. */
  readonly balance: number;
  /** Tokens drawn to stand for the vocabulary; all of it is scored where it has no more. */
  readonly negatives: number;
  /** Learning rate of the synapses. */
  readonly hebbianRate: number;
}

export const sparseLearning: SparseLearning = {
  dropout: 0,
  balance: 0.01,
  negatives: 1024,
  hebbianRate: 0.001,
};

export interface SparseTrainProgram {
  readonly program: Program;
  /** `u32[batch * sequence]` */
  readonly ids: Tensor;
  readonly targets: Tensor;
  readonly clock: Tensor;
  readonly rates: Tensor;
  /** `[SPARSE_HISTORY_SLOTS]`: mean nats per token, and global norms of the gradient before clipping. */
  readonly losses: Tensor;
  readonly norms: Tensor;
}

const DROPOUT_STREAM = 0x44524f50;

/** Forward, backward, optimiser, and then the synapses: one step of training. */
export function traceSparseTraining(
  { structure, layout, fixed }: SparseModel,
  { batch, sequence }: BatchShape,
  optimiser: AdamWOptions,
  learning: SparseLearning,
): SparseTrainProgram {
  const graph = new Graph('train', layout);
  const rows = batch * sequence;
  const ids = graph.local('ids', 'u32', [rows]);
  const targets = graph.local('targets', 'u32', [rows]);
  const clock = clockInput(graph);
  const rates = ratesInput(graph);
  const losses = graph.local('loss history', 'f32', [SPARSE_HISTORY_SLOTS]);
  const norms = graph.local('norms', 'f32', [SPARSE_HISTORY_SLOTS]);
  const seen: BlockEvents[] = [];
  const forward: SparseForward = {
    ...fromRest({ graph, structure, fixed }, { batch, sequence }),
    balance: learning.balance,
    ...(learning.dropout > 0 && { dropout: dropSpikes(graph, clock, learning.dropout) }),
    visit: (events) => seen.push(events),
  };
  const vocabulary = tiedVocabulary(graph, fixed.codebook);
  const features = sparseFeatures(forward, vocabulary.embed(ids));
  const history = { history: losses, clock };
  const { negatives } = learning;
  const loss =
    negatives < structure.vocabulary
      ? crossEntropy(
          graph,
          vocabulary.sampledLogits(features, { targets, negatives, clock }),
          graph.constant('first class', [rows], new Uint32Array(rows)),
          history,
        )
      : crossEntropy(graph, vocabulary.logits(features), targets, history);
  const means = seen.map(({ input, spikes, experts }) =>
    expertMeans(graph, input, spikes, { experts, count: structure.experts, sequence }),
  );
  differentiate(graph, loss);
  const scale = adamW(graph, optimiser, { rates, clock, norms });
  for (const [block, { input, recurrent }] of fixed.blocks.entries()) {
    // Every block has its means.
    const rule = { means: means[block] as Tensor, scale, learningRate: learning.hebbianRate };
    hebbianUpdate(graph, input, { ...rule, presynaptic: 'input' });
    hebbianUpdate(graph, recurrent, { ...rule, presynaptic: 'heard' });
  }
  return { program: graph.build(), ids, targets, clock, rates, losses, norms };
}

/** Sequences that begin and end within a play. */
function fromRest(
  { graph, structure, fixed }: Pick<SparseForward, 'graph' | 'structure' | 'fixed'>,
  { batch, sequence }: BatchShape,
): SparseForward {
  const words = Uint32Array.from({ length: batch }, (_, slot) => slotWord(slot, true));
  const slots = graph.constant('slots', [batch], words);
  return {
    graph,
    structure,
    fixed,
    sequences: { sequence, slots, slotCount: batch },
    state: (name, dtype, shape) => graph.scratch(name, dtype, shape),
    balance: 0,
  };
}

/** Draws anew which spikes are kept in each step. */
function dropSpikes(
  graph: Graph,
  clock: Tensor,
  share: number,
): NonNullable<SparseForward['dropout']> {
  return (block, shape) => {
    const [steps = 1, rows = 1, width = 1] = shape;
    const values = new Float32Array(width).fill(1 - share);
    const probabilities = graph.constant(`kept share ${block}`, [1, 1, width], values);
    const spikes = graph.scratch('kept spikes', 'bits', shape);
    const stream = DROPOUT_STREAM + block;
    graph.call(
      'random_spikes',
      { probabilities, clock, spikes },
      { rows: steps * rows, width, stream, probabilityRows: 1 },
    );
    return { mask: spikes, factor: 1 / (1 - share) };
  };
}

export interface SparseEvaluateProgram {
  readonly program: Program;
  readonly ids: Tensor;
  readonly targets: Tensor;
  readonly clock: Tensor;
  readonly losses: Tensor;
  /** `u32[width]` for each block: spikes of each neuron since the host last cleared it. */
  readonly layers: readonly { readonly name: string; readonly counts: Tensor }[];
}

/** The loss by the full softmax, without learning, and the spikes of every neuron. */
export function traceSparseEvaluation(
  model: SparseModel,
  { batch, sequence }: BatchShape,
): SparseEvaluateProgram {
  const graph = new Graph('evaluate', model.layout);
  const rows = batch * sequence;
  const ids = graph.local('ids', 'u32', [rows]);
  const targets = graph.local('targets', 'u32', [rows]);
  const clock = clockInput(graph);
  const losses = graph.local('loss history', 'f32', [SPARSE_HISTORY_SLOTS]);
  const layers: { name: string; counts: Tensor }[] = [];
  const vocabulary = tiedVocabulary(graph, model.fixed.codebook);
  const forward: SparseForward = {
    ...fromRest({ graph, ...model }, { batch, sequence }),
    visit({ block, spikes }) {
      const name = `blocks.${block}.neurons`;
      const counts = graph.local(`spikes of ${name}`, 'u32', [model.structure.width]);
      countSpikes(graph, spikes, counts);
      layers.push({ name, counts });
    },
  };
  const features = sparseFeatures(forward, vocabulary.embed(ids));
  crossEntropy(graph, vocabulary.logits(features), targets, { history: losses, clock });
  return { program: graph.build(), ids, targets, clock, losses, layers };
}
