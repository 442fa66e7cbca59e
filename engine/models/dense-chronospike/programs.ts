import { differentiate } from '../../graph/gradients.ts';
import { Graph } from '../../graph/graph.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import type { Program } from '../../graph/program.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { adamW } from '../../ops/adamw.ts';
import { keep } from '../../ops/keep.ts';
import { countSpikes, lifMembrane } from '../../ops/lif.ts';
import { clockInput, ratesInput } from '../../ops/step-inputs.ts';
import { type LossRule, nextTokens, type TrainingRules } from '../loss-rule.ts';
import { chronospikeLogits, neuronOptions, type SpikeSite } from './forward.ts';
import { parallelMixing } from './mixing.ts';
import type { ChronospikeStructure } from './structure.ts';

/** Losses and norms kept on the device; read them back before as many plays have passed. */
export const HISTORY_SLOTS = 256;

export interface BatchShape {
  readonly batch: number;
  readonly sequence: number;
}

export interface TrainProgram {
  readonly program: Program;
  /** `u32[batch * sequence]` */
  readonly ids: Tensor;
  readonly targets: Tensor;
  readonly clock: Tensor;
  readonly rates: Tensor;
  /** `[HISTORY_SLOTS]`: mean nats per token, and global norms of the gradient before clipping. */
  readonly losses: Tensor;
  readonly norms: Tensor;
}

/** Forward, backward and optimiser: one step of training. */
export function traceTraining(
  layout: ParameterLayout,
  structure: ChronospikeStructure,
  shape: BatchShape,
  { lossOf, beta1, beta2, epsilon }: TrainingRules,
): TrainProgram {
  const graph = new Graph('train', layout);
  const options = { lossOf };
  const { ids, targets, clock, losses, loss } = traceLoss(graph, structure, shape, options);
  const rates = ratesInput(graph);
  const norms = graph.local('norms', 'f32', [HISTORY_SLOTS]);
  differentiate(graph, loss);
  adamW(graph, { beta1, beta2, epsilon }, { rates, clock, norms });
  return { program: graph.build(), ids, targets, clock, rates, losses, norms };
}

export interface GradientProgram {
  readonly program: Program;
  readonly ids: Tensor;
  readonly targets: Tensor;
  readonly clock: Tensor;
  readonly losses: Tensor;
  /** `[1, batch * sequence, vocabulary]` */
  readonly logits: Tensor;
}

/** Forward and backward without an update: the gradients stay in their block. */
export function traceGradients(
  layout: ParameterLayout,
  structure: ChronospikeStructure,
  shape: BatchShape,
): GradientProgram {
  const graph = new Graph('gradients', layout);
  const { ids, targets, clock, losses, loss, logits } = traceLoss(graph, structure, shape, {});
  const kept = keep(graph, 'kept logits', logits);
  differentiate(graph, loss);
  return { program: graph.build(), ids, targets, clock, losses, logits: kept };
}

export interface LayerCount {
  readonly name: string;
  /** `u32[width]`: spikes of each neuron since the host last cleared it. */
  readonly counts: Tensor;
}

export interface EvaluateProgram {
  readonly program: Program;
  readonly ids: Tensor;
  readonly targets: Tensor;
  readonly clock: Tensor;
  readonly losses: Tensor;
  readonly layers: readonly LayerCount[];
}

/** The loss without learning, and the spikes of every neuron, added up over plays. */
export function traceEvaluation(
  layout: ParameterLayout,
  structure: ChronospikeStructure,
  shape: BatchShape,
): EvaluateProgram {
  const graph = new Graph('evaluate', layout);
  const layers: LayerCount[] = [];
  const { ids, targets, clock, losses } = traceLoss(graph, structure, shape, {
    visit({ name, spikes }) {
      const width = spikes.shape.at(-1) ?? 1;
      const counts = graph.local(`spikes of ${name}`, 'u32', [width]);
      countSpikes(graph, spikes, counts);
      layers.push({ name, counts });
    },
  });
  return { program: graph.build(), ids, targets, clock, losses, layers };
}

export interface ObservedLayer {
  readonly name: string;
  /** `[steps, sequence, width]`: membranes before each reset. */
  readonly membrane: Tensor;
  /** `bits[steps, sequence, width]` */
  readonly spikes: Tensor;
}

export interface ObserveProgram {
  readonly program: Program;
  /** `u32[sequence]` */
  readonly ids: Tensor;
  readonly layers: readonly ObservedLayer[];
}

/** One sequence with every membrane and spike kept, for pictures. */
export function traceObservation(
  layout: ParameterLayout,
  structure: ChronospikeStructure,
  sequence: number,
): ObserveProgram {
  const graph = new Graph('observe', layout);
  const ids = graph.local('ids', 'u32', [sequence]);
  const mixing = parallelMixing(graph, structure, sequence);
  const layers: ObservedLayer[] = [];
  const visit = ({ name, current, spikes }: SpikeSite) => {
    const membrane = lifMembrane(graph, `membrane of ${name}`, current, neuronOptions(structure));
    layers.push({ name, membrane, spikes: keep(graph, `kept spikes of ${name}`, spikes) });
  };
  chronospikeLogits({ graph, structure, mixing, visit }, ids);
  return { program: graph.build(), ids, layers };
}

interface LossOptions {
  readonly visit?: (site: SpikeSite) => void;
  readonly lossOf?: LossRule | undefined;
}

function traceLoss(
  graph: Graph,
  structure: ChronospikeStructure,
  { batch, sequence }: BatchShape,
  { visit, lossOf = nextTokens }: LossOptions,
) {
  const rows = batch * sequence;
  const ids = graph.local('ids', 'u32', [rows]);
  const targets = graph.local('targets', 'u32', [rows]);
  const clock = clockInput(graph);
  const losses = graph.local('loss history', 'f32', [HISTORY_SLOTS]);
  const mixing = parallelMixing(graph, structure, sequence);
  const forward = { graph, structure, mixing, ...(visit && { visit }) };
  const logits = chronospikeLogits(forward, ids);
  const loss = lossOf(graph, logits, { ids, targets }, { history: losses, clock });
  return { ids, targets, clock, losses, logits, loss };
}
