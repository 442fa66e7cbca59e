import { differentiate } from '../../ops/gradients.ts';
import { Graph } from '../../graph/graph.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import type { Program } from '../../graph/program.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { adamW, type AdamWOptions } from '../../ops/adamw.ts';
import { crossEntropy } from '../../ops/cross-entropy.ts';
import { keep } from '../../ops/keep.ts';
import { countSpikes } from '../../ops/lif.ts';
import { axesOf } from '../../ops/shapes.ts';
import { clockInput, ratesInput } from '../../ops/step-inputs.ts';
import { HISTORY_SLOTS } from '../../train/step-history.ts';

/** Receives the spikes of every layer, `bits[T, rows, neurons]`. */
export type SpikeWatch = (layer: string, spikes: Tensor) => void;

/** A network that classifies, as training and evaluation see it, whatever is inside. */
export interface Classifier<Structure> {
  readonly structure: Structure;
  readonly layout: ParameterLayout;
  /** Frames of one input that follow one another in time; 1 by default. */
  readonly frames?: number;
  /** Numbers of a frame, such as the pixels of an image. */
  readonly inputs: number;
  readonly classes: number;
  /** Logits `[T or 1, rows, classes]` that training fits, for inputs `[frames, rows, inputs]`. */
  logits(graph: Graph, inputs: Tensor, watch?: SpikeWatch): Tensor;
  /** One number for each row and class, kept after the play; the largest names the class. */
  scores(graph: Graph, logits: Tensor): Tensor;
}

interface TrainProgram {
  readonly program: Program;
  /** `[frames, batch, inputs]` */
  readonly inputs: Tensor;
  /** `u32[steps * batch]`: the classes of the batch once for every time step of the logits. */
  readonly targets: Tensor;
  readonly clock: Tensor;
  readonly rates: Tensor;
  /** `[HISTORY_SLOTS]`: mean nats over inputs and time steps, and global norms of its gradient. */
  readonly losses: Tensor;
  readonly norms: Tensor;
}

/**
 * Forward, backward and optimiser: one step of training. The loss to be learned from is the sum over
 * the time steps of the logits of their cross-entropy. Kept is the mean, whose gradient is as many times
 * smaller; Adam takes the same steps for both once epsilon is as much smaller.
 */
export function traceTraining(
  classifier: Classifier<unknown>,
  batch: number,
  optimiser: AdamWOptions,
): TrainProgram {
  const graph = new Graph('train', classifier.layout);
  const inputs = inputsOf(graph, classifier, batch);
  const logits = classifier.logits(graph, inputs);
  const [steps = 1] = logits.shape;
  const targets = graph.local('targets', 'u32', [steps * batch]);
  const clock = clockInput(graph);
  const losses = graph.local('loss history', 'f32', [HISTORY_SLOTS]);
  const loss = crossEntropy(graph, logits, targets, { history: losses, clock });
  const rates = ratesInput(graph);
  const norms = graph.local('norms', 'f32', [HISTORY_SLOTS]);
  differentiate(graph, loss);
  adamW(graph, { ...optimiser, epsilon: optimiser.epsilon / steps }, { rates, clock, norms });
  return { program: graph.build(), inputs, targets, clock, rates, losses, norms };
}

/** Inputs of a batch, `[frames, batch, inputs]`, which the host writes. */
export function inputsOf(
  graph: Graph,
  { frames = 1, inputs }: Classifier<unknown>,
  batch: number,
): Tensor {
  return graph.local('inputs', 'f32', [frames, batch, inputs]);
}

/** Spikes of a layer, added up until the host sets them to zero. */
interface WatchedLayer {
  readonly name: string;
  /** `u32[neurons]` */
  readonly counts: Tensor;
  /** Time steps in which each neuron of a row could have fired. */
  readonly steps: number;
}

/** The scores of a batch of inputs, and the spikes of every neuron, added up over plays. */
export interface ScoringProgram {
  readonly program: Program;
  /** `[frames, batch, inputs]` */
  readonly inputs: Tensor;
  /** `[batch, classes]` numbers in this order; the class with the largest is predicted. */
  readonly scores: Tensor;
  readonly batch: number;
  readonly layers: readonly WatchedLayer[];
}

export interface ValidateProgram extends ScoringProgram {
  /** `u32[steps * batch]`, as in training. */
  readonly targets: Tensor;
  /** `[steps * batch]`: nats of every row in every time step of the logits. */
  readonly losses: Tensor;
}

/** Scores, losses and spikes of a batch of inputs. */
export function traceValidation(classifier: Classifier<unknown>, batch: number): ValidateProgram {
  const graph = new Graph(`validate ${batch}`, classifier.layout);
  const { inputs, logits, layers } = watchedLogits(graph, classifier, batch);
  const targets = graph.local('targets', 'u32', [(logits.shape[0] ?? 1) * batch]);
  const history = graph.local('loss', 'f32', [1]);
  const losses = crossEntropy(graph, logits, targets, { history, clock: clockInput(graph) });
  const scores = classifier.scores(graph, logits);
  const kept = keep(graph, 'losses', losses);
  return { program: graph.build(), batch, inputs, targets, losses: kept, scores, layers };
}

/** Scores and spikes of a batch of inputs. */
export function traceScoring(classifier: Classifier<unknown>, batch: number): ScoringProgram {
  const graph = new Graph(`score ${batch}`, classifier.layout);
  const { inputs, logits, layers } = watchedLogits(graph, classifier, batch);
  const scores = classifier.scores(graph, logits);
  return { program: graph.build(), batch, inputs, scores, layers };
}

function watchedLogits(graph: Graph, classifier: Classifier<unknown>, batch: number) {
  const inputs = inputsOf(graph, classifier, batch);
  const layers: WatchedLayer[] = [];
  const logits = classifier.logits(graph, inputs, (name, spikes) => {
    const { steps, width } = axesOf(name, spikes, 'bits');
    const counts = graph.local(`spikes of ${name}`, 'u32', [width]);
    countSpikes(graph, spikes, counts);
    layers.push({ name, counts, steps });
  });
  return { inputs, logits, layers };
}

/** Examples in one request. */
export const VALIDATION_BATCH = 100;
