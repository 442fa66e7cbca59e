import { randomKernels } from '../../kernels/memory.ts';
import type { Graph } from '../../graph/graph.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { crossEntropy, type CrossEntropyOptions } from '../../ops/cross-entropy.ts';
import { expertMeans, hebbianUpdate } from '../../ops/event-scan.ts';
import { slotWord } from '../../kernels/slots.ts';
import type { FixedPart } from './fixed-part.ts';
import type { BlockEvents, SparseForward } from './forward.ts';
import type { SparseLearning, SparseStructure } from './structure.ts';
import { addPrior } from '../language/ngram-prior.ts';
import type { BatchShape } from '../language/text-programs.ts';
import type { TiedVocabulary } from './vocabulary.ts';

/** A model whose programs are to be traced. */
export interface SparseModel {
  readonly structure: SparseStructure;
  readonly layout: ParameterLayout;
  readonly fixed: FixedPart;
}

export const sparseLearning: SparseLearning = {
  dropout: 0,
  balance: 0.01,
  negatives: 1024,
  hebbianRate: 0.001,
};

const DROPOUT_STREAM = 0x44524f50;
const HEBBIAN_STREAM = 0x48454242;

/** A forward pass that is learned from, from rest, and the rule of its synapses. */
interface LearningForward {
  readonly forward: SparseForward;
  /** After the features are traced and before the backward pass: what synapses learn from. */
  readonly keepMeans: () => void;
  /** After the optimiser: `scale` as `adamW` gives it. */
  readonly learnSynapses: (scale: Tensor) => void;
}

export function learningForward(
  graph: Graph,
  { structure, fixed }: SparseModel,
  shape: BatchShape,
  { clock, learning }: { readonly clock: Tensor; readonly learning: SparseLearning },
): LearningForward {
  const seen: BlockEvents[] = [];
  const means: Tensor[] = [];
  const { sequence } = shape;
  const { balance, dropout, hebbianRate: learningRate } = learning;
  return {
    forward: {
      ...fromRest({ graph, structure, fixed }, shape),
      balance,
      ...(dropout > 0 && { dropout: dropSpikes(graph, clock, dropout) }),
      visit: (events) => seen.push(events),
    },
    keepMeans() {
      for (const { input, spikes, experts } of seen) {
        const options = { experts, count: structure.experts, sequence };
        means.push(expertMeans(graph, input, spikes, options));
      }
    },
    learnSynapses(scale) {
      for (const [block, { input, recurrent }] of fixed.blocks.entries()) {
        // Every block has its means.
        const rule = { means: means[block] as Tensor, scale, clock, learningRate };
        const stream = HEBBIAN_STREAM + 2 * block;
        hebbianUpdate(graph, input, { ...rule, stream, presynaptic: 'input' });
        hebbianUpdate(graph, recurrent, { ...rule, stream: stream + 1, presynaptic: 'heard' });
      }
    },
  };
}

/** Mean negative log-likelihood of the next tokens: by a sample where the vocabulary has more than it draws. */
export function tokenLoss(
  graph: Graph,
  vocabulary: TiedVocabulary,
  features: Tensor,
  {
    targets,
    prior,
    history,
    negatives,
    size,
  }: {
    readonly targets: Tensor;
    /** Log-probabilities of tables: with them, every token is scored. */
    readonly prior?: Tensor | undefined;
    readonly history: CrossEntropyOptions;
    readonly negatives: number;
    readonly size: number;
  },
): Tensor {
  const { clock } = history;
  if (prior || negatives >= size) {
    const logits = vocabulary.logits(features);
    addPrior(graph, logits, prior);
    return crossEntropy(graph, logits, targets, history);
  }
  const logits = vocabulary.sampledLogits(features, { targets, negatives, clock });
  const zeros = new Uint32Array(targets.shape[0] ?? 0);
  return crossEntropy(graph, logits, graph.constant('first class', targets.shape, zeros), history);
}

/** Sequences that begin and end within a play. */
export function fromRest(
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
      randomKernels.random_spikes,
      { probabilities, clock, spikes },
      { rows: steps * rows, width, stream, probabilityRows: 1 },
    );
    return { mask: spikes, factor: 1 / (1 - share) };
  };
}
