import type { LayerCount } from '../../train/spike-statistics.ts';
import { differentiate } from '../../ops/gradients.ts';
import { Graph } from '../../graph/graph.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import type { Program } from '../../graph/program.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { keep } from '../../ops/keep.ts';
import { countSpikes } from '../../ops/lif.ts';
import { chunkMixing } from './chunk-mixing.ts';
import { chronospikeLogits, type SpikeSite } from './forward.ts';
import type {
  BatchShape,
  EvaluateProgram,
  LossProgram,
  StreamProgram,
} from '../language/text-programs.ts';
import { traceLoss } from './loss-program.ts';
import { parallelMixing } from './mixing.ts';
import { fireNeurons, membraneOf, type Site, trainedThresholds } from './neurons.ts';
import type { ChronospikeStructure } from './structure.ts';

export { traceTraining } from './training-program.ts';

export interface GradientProgram extends LossProgram {
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

/** The loss without learning, and the spikes of every neuron, added up over plays. */
export function traceEvaluation(
  layout: ParameterLayout,
  structure: ChronospikeStructure,
  shape: BatchShape,
  movingBeta?: Tensor,
): EvaluateProgram {
  const graph = new Graph('evaluate', layout);
  const layers: LayerCount[] = [];
  const { ids, targets, clock, losses, prior } = traceLoss(graph, structure, shape, {
    fire: (site) => fireNeurons(graph, structure, site, movingBeta),
    visit: spikeCounting(graph, layers),
  });
  return { program: graph.build(), ids, targets, clock, losses, prior, layers };
}

interface ScoringProgram {
  readonly program: Program;
  /** `u32[batch * sequence]` */
  readonly ids: Tensor;
  /** `[1, batch * sequence, vocabulary]` */
  readonly logits: Tensor;
  readonly layers: readonly LayerCount[];
}

/** Logits of windows, and the spikes of every neuron, added up over plays. */
export function traceScoring(
  layout: ParameterLayout,
  structure: ChronospikeStructure,
  { batch, sequence }: BatchShape,
): ScoringProgram {
  const graph = new Graph('score', layout);
  const ids = graph.local('ids', 'u32', [batch * sequence]);
  const layers: LayerCount[] = [];
  const visit = spikeCounting(graph, layers);
  const mixing = parallelMixing(graph, structure, sequence);
  const scores = chronospikeLogits({ graph, structure, mixing, visit }, ids);
  const logits = keep(graph, 'kept logits', scores);
  return { program: graph.build(), ids, logits, layers };
}

/** Counts the spikes of every neuron and lists the counters. */
function spikeCounting(graph: Graph, layers: LayerCount[]) {
  return ({ name, spikes }: SpikeSite): void => {
    const counts = graph.local(`spikes of ${name}`, 'u32', [spikes.shape.at(-1) ?? 1]);
    countSpikes(graph, spikes, counts);
    layers.push({ name, counts });
  };
}

/** The loss of chunk after chunk of a text, each row going on from what it carries. */
export function traceStream(
  layout: ParameterLayout,
  structure: ChronospikeStructure,
  shape: BatchShape,
  movingBeta?: Tensor,
): StreamProgram {
  const graph = new Graph('stream', layout);
  const mixing = chunkMixing(graph, structure, shape);
  const { begins } = mixing;
  const { ids, targets, clock, losses, prior } = traceLoss(graph, structure, shape, {
    fire: (site) => fireNeurons(graph, structure, site, movingBeta),
    mixing,
  });
  mixing.advance();
  return { program: graph.build(), ids, targets, clock, losses, prior, begins };
}

interface ObservedLayer {
  readonly name: string;
  /** `[steps, sequence, width]`: membranes before each reset. */
  readonly membrane: Tensor;
  /** `[width]`, where each neuron has its own. */
  readonly thresholds: Tensor | undefined;
  /** `bits[steps, sequence, width]` */
  readonly spikes: Tensor;
}

export interface ObserveProgram {
  readonly program: Program;
  /** `u32[sequence]` */
  readonly ids: Tensor;
  readonly layers: readonly ObservedLayer[];
}

/** One sequence with every membrane and spike kept, for images. */
export function traceObservation(
  layout: ParameterLayout,
  structure: ChronospikeStructure,
  sequence: number,
  movingBeta?: Tensor,
): ObserveProgram {
  const graph = new Graph('observe', layout);
  const ids = graph.local('ids', 'u32', [sequence]);
  const mixing = parallelMixing(graph, structure, sequence);
  const layers: ObservedLayer[] = [];
  const fire = (site: Site) => fireNeurons(graph, structure, site, movingBeta);
  const visit = ({ spikes, ...site }: SpikeSite) => {
    const { name } = site;
    layers.push({
      name,
      membrane: membraneOf(graph, structure, site, movingBeta),
      thresholds: trainedThresholds(graph, structure, name),
      spikes: keep(graph, `kept spikes of ${name}`, spikes),
    });
  };
  chronospikeLogits({ graph, structure, mixing, fire, visit }, ids);
  return { program: graph.build(), ids, layers };
}
