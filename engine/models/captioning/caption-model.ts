import type { Player } from '../../graph/backend.ts';
import type { CaptionBatch } from '../../data/captions/caption-batches.ts';
import { differentiate } from '../../ops/gradients.ts';
import { Graph } from '../../graph/graph.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import type { Program } from '../../graph/program.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { adamW, type AdamWOptions } from '../../ops/adamw.ts';
import { crossEntropy } from '../../ops/cross-entropy.ts';
import { dropout } from '../../ops/dropout.ts';
import { keep } from '../../ops/keep.ts';
import { countSpikes } from '../../ops/lif.ts';
import { axesOf } from '../../ops/shapes.ts';
import { clockInput, ratesInput } from '../../ops/step-inputs.ts';
import { addPrior, priorInput } from '../language/ngram-prior.ts';
import type { SpikeSite } from '../dense-chronospike/forward.ts';
import { HISTORY_SLOTS } from '../language/text-programs.ts';
import { type LayerCount } from '../../train/spike-statistics.ts';

/** Shape of a prefix: tokens of so many numbers each. */
interface PrefixShape {
  readonly tokens: number;
  readonly features: number;
}

export interface CaptionInputs {
  /** Of each prefix in order: `[1, batch * tokens, features]`. */
  readonly prefixes: readonly Tensor[];
  /** `u32[batch * sequence]`: the caption behind its start mark. */
  readonly ids: Tensor;
}

/** Hooks of training and evaluation in a forward pass. */
export interface CaptionHooks {
  /** Sees each layer of spiking neurons. */
  readonly visit?: (site: SpikeSite) => void;
  /** Leaves some numbers of a stream out, in training alone. */
  readonly drop?: (stream: Tensor) => Tensor;
}

/** A network that predicts captions behind prefixes, as training and evaluation see it, whatever is inside. */
export interface CaptionModel {
  readonly layout: ParameterLayout;
  readonly prefixes: readonly PrefixShape[];
  /** Tokens of a caption, its end included. */
  readonly sequence: number;
  readonly vocabulary: number;
  /** Tokens of the longest n-grams of its tables; none where it is 0 or left out. */
  readonly ngramOrder?: number;
  /** Fraction of the numbers that training leaves out where the model drops some. */
  readonly dropout: number;
  /** Logits `[1, batch * sequence, vocabulary]`. */
  logits(graph: Graph, inputs: CaptionInputs, hooks?: CaptionHooks): Tensor;
}

/** Host inputs of a batch of pairs. */
interface CaptionBatchInputs extends CaptionInputs {
  /** Pairs of a batch, and tokens of a caption. */
  readonly batch: number;
  readonly sequence: number;
  /** `u32[batch * sequence]`: the token after each. */
  readonly targets: Tensor;
  /** `[batch * sequence]`: what each counts for; 0 behind the end of a caption. */
  readonly weights: Tensor;
  /** `[1, batch * sequence, vocabulary]`: log-probabilities added to the logits, where the model has tables. */
  readonly prior?: Tensor | undefined;
  readonly clock: Tensor;
  /** `[HISTORY_SLOTS]`: the mean of the weighted losses in nats. */
  readonly losses: Tensor;
}

interface CaptionTraining extends CaptionBatchInputs {
  readonly program: Program;
  readonly rates: Tensor;
  /** `[HISTORY_SLOTS]`: global norms of the gradient before clipping. */
  readonly norms: Tensor;
}

/** Writes a batch into the inputs of a program, and what tables say of its tokens. */
export function writeCaptions(
  player: Player,
  inputs: CaptionBatchInputs,
  { prefixes, ids, targets, weights }: CaptionBatch,
  priors?: Float32Array,
): void {
  if (inputs.prior && priors) player.write(inputs.prior, priors);
  for (const [i, prefix] of inputs.prefixes.entries()) {
    const values = prefixes[i];
    if (values) player.write(prefix, values);
  }
  player.write(inputs.ids, ids);
  player.write(inputs.targets, targets);
  player.write(inputs.weights, weights);
}

/** Forward, backward and optimiser: one step of training on `batch` pairs. */
export function traceCaptionTraining(
  model: CaptionModel,
  batch: number,
  optimiser: AdamWOptions,
): CaptionTraining {
  const graph = new Graph('train', model.layout);
  const { loss, inputs } = traceLoss(graph, model, batch, (clock) => ({
    drop: droppingOf(graph, clock, model.dropout),
  }));
  const rates = ratesInput(graph);
  const norms = graph.local('norms', 'f32', [HISTORY_SLOTS]);
  differentiate(graph, loss);
  adamW(graph, optimiser, { rates, clock: inputs.clock, norms });
  return { program: graph.build(), ...inputs, rates, norms };
}

/** Spikes of a layer, and how often each of its neurons could have fired in one play. */
interface CaptionLayer extends LayerCount {
  readonly chances: number;
}

export interface CaptionEvaluation extends CaptionBatchInputs {
  readonly program: Program;
  /** `[batch * sequence]`: the weighted loss of each token in nats. */
  readonly tokenLosses: Tensor;
  readonly layers: readonly CaptionLayer[];
}

/** The loss of each token without learning, and the spikes of every neuron, added up over plays. */
export function traceCaptionEvaluation(model: CaptionModel, batch: number): CaptionEvaluation {
  const graph = new Graph('evaluate', model.layout);
  const layers: CaptionLayer[] = [];
  const visit = ({ name, spikes }: SpikeSite) => {
    const { steps, rows, width } = axesOf('spikes', spikes, 'bits');
    const counts = graph.local(`spikes of ${name}`, 'u32', [width]);
    countSpikes(graph, spikes, counts);
    layers.push({ name, counts, chances: steps * rows });
  };
  const { loss, inputs } = traceLoss(graph, model, batch, () => ({ visit }));
  const tokenLosses = keep(graph, 'token losses', loss);
  return { program: graph.build(), ...inputs, tokenLosses, layers };
}

/** Everything that a run plays, traced. */
export function traceCaptionRun(model: CaptionModel, batch: number, optimiser: AdamWOptions) {
  const train = traceCaptionTraining(model, batch, optimiser);
  const evaluate = traceCaptionEvaluation(model, batch);
  return { train, evaluate, programs: [train.program, evaluate.program] };
}

const DROPOUT_STREAM = 0x44524f50;

/** Each call draws from a stream of its own. */
function droppingOf(graph: Graph, clock: Tensor, share: number) {
  let stream = DROPOUT_STREAM;
  return (tensor: Tensor) =>
    share === 0 ? tensor : dropout(graph, tensor, { share, clock, stream: stream++ });
}

function traceLoss(
  graph: Graph,
  model: CaptionModel,
  batch: number,
  hooksOf: (clock: Tensor) => CaptionHooks,
) {
  const rows = batch * model.sequence;
  const prefixes = model.prefixes.map(({ tokens, features }, i) =>
    graph.local(`prefix ${i}`, 'f32', [1, batch * tokens, features]),
  );
  const ids = graph.local('ids', 'u32', [rows]);
  const targets = graph.local('targets', 'u32', [rows]);
  const weights = graph.local('weights', 'f32', [rows]);
  const clock = clockInput(graph);
  const losses = graph.local('loss history', 'f32', [HISTORY_SLOTS]);
  const logits = model.logits(graph, { prefixes, ids }, hooksOf(clock));
  const prior = priorInput(graph, model, rows);
  addPrior(graph, logits, prior);
  const loss = crossEntropy(graph, logits, targets, { history: losses, clock, weights });
  const { sequence } = model;
  const inputs = { batch, sequence, prefixes, ids, targets, weights, prior, clock, losses };
  return { loss, inputs };
}
