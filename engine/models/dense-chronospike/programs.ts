import { differentiate } from '../../graph/gradients.ts';
import { Graph } from '../../graph/graph.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import type { Program } from '../../graph/program.ts';
import { sharedTensor, type Tensor } from '../../graph/tensor.ts';
import { adamW, type AdamWOptions } from '../../ops/adamw.ts';
import { keep } from '../../ops/keep.ts';
import { countSpikes } from '../../ops/lif.ts';
import { clockInput, ratesInput } from '../../ops/step-inputs.ts';
import { type LossRule, nextTokens, type StepRules } from '../loss-rule.ts';
import { CARRY_GROUPS } from './carried-parts.ts';
import { chunkMixing } from './chunk-mixing.ts';
import { chronospikeLogits, type Forward, type SpikeSite } from './forward.ts';
import { parallelMixing } from './mixing.ts';
import { plainRules } from './neuron-rules.ts';
import { fireNeurons, membraneOf, type Site, trainedThresholds } from './neurons.ts';
import {
  createRuleState,
  relaxedForward,
  type RuleState,
  ruledFire,
  traceReward,
} from './ruled-neurons.ts';
import type { ChronospikeStructure } from './structure.ts';

/** Losses and norms kept on the device; read them back before as many plays have passed. */
export const HISTORY_SLOTS = 256;

export interface BatchShape {
  readonly batch: number;
  readonly sequence: number;
}

/** What the host writes and reads of a step. */
interface StepTensors {
  /** `u32[batch * sequence]` */
  readonly ids: Tensor;
  readonly targets: Tensor;
  readonly clock: Tensor;
  /** `[HISTORY_SLOTS]`: mean nats per token. */
  readonly losses: Tensor;
}

/** A step whose spikes are still soft, for the first share of a run; it takes the inputs of the hard one. */
export interface EarlyProgram {
  readonly program: Program;
  /** Share of the budget over which it is played in place of the other. */
  readonly until: number;
  /** `f32[1]`: from 0 to 1 over that share. */
  readonly hardness: Tensor;
}

export interface TrainProgram extends StepTensors {
  readonly program: Program;
  readonly rates: Tensor;
  /** `[HISTORY_SLOTS]`: global norms of the gradient before clipping. */
  readonly norms: Tensor;
  readonly early?: EarlyProgram;
  /** The programs of all groups of rows that take turns, the first of which is `program`. */
  readonly groups?: readonly Program[];
  /** `u32[batch]` of a run that carries state from chunk to chunk, see `chunkMixing`. */
  readonly begins?: Tensor;
  readonly carried: readonly Tensor[];
}

export interface TrainingRules extends StepRules {
  /** Neurons learn by the gradient alone where it is left out. */
  readonly state?: RuleState;
  /** Rows read a text chunk by chunk and carry their state along. */
  readonly carry?: boolean;
}

/** Forward, backward and optimiser: one step of training. */
export function traceTraining(
  layout: ParameterLayout,
  structure: ChronospikeStructure,
  shape: BatchShape,
  { state = createRuleState(structure, plainRules), carry = false, ...rules }: TrainingRules,
): TrainProgram {
  const { beta1, beta2, epsilon } = rules;
  const optimiser = { beta1, beta2, epsilon };
  const isEarly = state.rules.relaxation > 0;
  const tensors = isEarly || carry ? sharedTensors(shape) : undefined;
  const parts = { shape, optimiser, state, tensors, lossOf: rules.lossOf };
  const early = isEarly && { early: traceEarly(layout, structure, parts) };
  if (carry) return { ...traceGroups(layout, structure, parts), ...early };
  const graph = new Graph('train', layout);
  const fire = ruledFire(graph, structure, state, shape.sequence);
  const hard = traceStep(graph, structure, { ...parts, forward: { fire } });
  return { ...hard, ...early, program: graph.build(), carried: [] };
}

/** A program for each group of rows. They share everything but what their rows carry. */
function traceGroups(
  layout: ParameterLayout,
  structure: ChronospikeStructure,
  parts: Omit<StepParts, 'forward'>,
): TrainProgram {
  const { shape, state, tensors = sharedTensors(shape) } = parts;
  const begins = sharedTensor('begins', 'u32', [shape.batch]);
  const traced = Array.from({ length: CARRY_GROUPS }, (_, group) => {
    const graph = new Graph(`train, group ${group}`, layout);
    const fire = ruledFire(graph, structure, state, shape.sequence);
    const mixing = chunkMixing(graph, structure, { ...shape, group, begins });
    traceStep(graph, structure, { ...parts, tensors, forward: { fire, mixing } });
    mixing.advance();
    return { program: graph.build(), carried: mixing.carried };
  });
  const groups = traced.map(({ program }) => program);
  const [program] = groups as [Program];
  return { ...tensors, program, groups, begins, carried: traced.flatMap(({ carried }) => carried) };
}

interface StepParts {
  readonly shape: BatchShape;
  readonly optimiser: AdamWOptions;
  readonly state: RuleState;
  /** What differs from a plain forward pass. */
  readonly forward: Partial<Forward>;
  readonly tensors?: AllTensors | undefined;
  readonly lossOf: LossRule | undefined;
}

type AllTensors = StepTensors & Pick<TrainProgram, 'rates' | 'norms'>;

function traceStep(
  graph: Graph,
  structure: ChronospikeStructure,
  { shape, optimiser, state, forward, tensors, lossOf }: StepParts,
): AllTensors {
  const { loss, ...step } = traceLoss(graph, structure, shape, {
    ...forward,
    tensors,
    lossOf,
  });
  const rates = tensors?.rates ?? ratesInput(graph);
  const norms = tensors?.norms ?? graph.local('norms', 'f32', [HISTORY_SLOTS]);
  const { ids, targets, clock, losses } = step;
  differentiate(graph, loss);
  adamW(graph, optimiser, { rates, clock, norms });
  traceReward(graph, state, { history: losses, clock });
  return { ids, targets, clock, losses, rates, norms };
}

/** The step with soft spikes. It carries nothing: what is carried are counts of spikes. */
function traceEarly(
  layout: ParameterLayout,
  structure: ChronospikeStructure,
  parts: Omit<StepParts, 'forward'>,
): EarlyProgram {
  const { state, shape } = parts;
  const graph = new Graph('train, relaxed', layout);
  const hardness = graph.local('hardness', 'f32', [1]);
  const forward = relaxedForward(graph, structure, { ...state, ...shape, hardness });
  traceStep(graph, structure, { ...parts, forward });
  return { program: graph.build(), until: state.rules.relaxation, hardness };
}

/** Inputs and histories that two programs have in common. */
function sharedTensors({ batch, sequence }: BatchShape): AllTensors {
  const rows = [batch * sequence];
  return {
    ids: sharedTensor('ids', 'u32', rows),
    targets: sharedTensor('targets', 'u32', rows),
    clock: sharedTensor('clock', 'u32', [4]),
    rates: sharedTensor('rates', 'f32', [5]),
    losses: sharedTensor('loss history', 'f32', [HISTORY_SLOTS]),
    norms: sharedTensor('norms', 'f32', [HISTORY_SLOTS]),
  };
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
  movingBeta?: Tensor,
): EvaluateProgram {
  const graph = new Graph('evaluate', layout);
  const layers: LayerCount[] = [];
  const { ids, targets, clock, losses } = traceLoss(graph, structure, shape, {
    fire: (site) => fireNeurons(graph, structure, site, movingBeta),
    visit: spikeCounting(graph, layers),
  });
  return { program: graph.build(), ids, targets, clock, losses, layers };
}

export interface ScoringProgram {
  readonly program: Program;
  /** `u32[batch * sequence]` */
  readonly ids: Tensor;
  /** `[1, batch * sequence, vocabulary]` */
  readonly logits: Tensor;
  readonly layers: readonly LayerCount[];
}

/** What the model says to windows token by token, and the spikes of every neuron, added up over plays. */
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
export interface StreamProgram extends StepTensors {
  readonly program: Program;
  /** `u32[batch]`, see `chunkMixing`. */
  readonly begins: Tensor;
}

export function traceStream(
  layout: ParameterLayout,
  structure: ChronospikeStructure,
  shape: BatchShape,
  movingBeta?: Tensor,
): StreamProgram {
  const graph = new Graph('stream', layout);
  const mixing = chunkMixing(graph, structure, shape);
  const { ids, targets, clock, losses } = traceLoss(graph, structure, shape, {
    fire: (site) => fireNeurons(graph, structure, site, movingBeta),
    mixing,
  });
  mixing.advance();
  return { program: graph.build(), ids, targets, clock, losses, begins: mixing.begins };
}

export interface ObservedLayer {
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

/** One sequence with every membrane and spike kept, for pictures. */
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

/** What the forward pass of a loss does other than a plain one, and tensors that it shares. */
interface LossOptions extends Partial<Omit<Forward, 'graph' | 'structure'>> {
  readonly lossOf?: LossRule | undefined;
  readonly tensors?: AllTensors | undefined;
}

function traceLoss(
  graph: Graph,
  structure: ChronospikeStructure,
  { batch, sequence }: BatchShape,
  { tensors, mixing, lossOf = nextTokens, ...options }: LossOptions,
) {
  const rows = batch * sequence;
  const { ids, targets, clock, losses } = tensors ?? {
    ids: graph.local('ids', 'u32', [rows]),
    targets: graph.local('targets', 'u32', [rows]),
    clock: clockInput(graph),
    losses: graph.local('loss history', 'f32', [HISTORY_SLOTS]),
  };
  const forward = {
    ...options,
    graph,
    structure,
    mixing: mixing ?? parallelMixing(graph, structure, sequence),
  };
  const logits = chronospikeLogits(forward, ids);
  const loss = lossOf(graph, logits, { ids, targets }, { history: losses, clock });
  return { ids, targets, clock, losses, logits, loss };
}
