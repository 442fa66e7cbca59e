import { memoryKernels } from '../../kernels/memory.ts';
import { differentiate } from '../../ops/gradients.ts';
import { Graph } from '../../graph/graph.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import type { Program } from '../../graph/program.ts';
import { sharedTensor, type Tensor, wordCount } from '../../graph/tensor.ts';
import { adamW, type AdamWOptions } from '../../ops/adamw.ts';
import { codebookRows } from '../../ops/codebook.ts';
import { crossEntropy } from '../../ops/cross-entropy.ts';
import { embedding } from '../../ops/embedding.ts';
import { keep } from '../../ops/keep.ts';
import { linear } from '../../ops/linear.ts';
import { runningMean } from '../../ops/routing.ts';
import { clockInput, ratesInput } from '../../ops/step-inputs.ts';
import type { FixedPart } from '../sparse-event-memory/fixed-part.ts';
import { sparseFeatures, type SparseForward } from '../sparse-event-memory/forward.ts';
import { type BatchShape, HISTORY_SLOTS } from '../language/text-programs.ts';
import { fromRest, learningForward, tokenLoss } from '../sparse-event-memory/learning.ts';
import { type SparseLearning } from '../sparse-event-memory/structure.ts';
import type { LayerCount } from '../../train/spike-statistics.ts';
import { countBlockSpikes } from '../sparse-event-memory/programs.ts';
import { CODE_SCALE, tiedVocabulary } from '../sparse-event-memory/vocabulary.ts';
import { backboneOf, type MemoriedStructure } from './structure.ts';

/** A model whose programs are to be traced. */
export interface MemoriedModel {
  readonly structure: MemoriedStructure;
  readonly layout: ParameterLayout;
  readonly fixed: FixedPart;
}

/** Inputs of a program, `u32[rows]` each, sequence after sequence. */
interface StreamInputs {
  /** As `packStream`. */
  readonly ids: Tensor;
  readonly modalities: Tensor;
  /** 0 for a token that leaves no trace, such as padding. */
  readonly mask: Tensor;
}

interface MemoriedOutputs {
  /** `[1, rows, vocabulary]`: for the token after each; `rangeOf` says which are those of a modality's head. */
  readonly logits: Tensor;
  /** `[1, rows, classes]`: of the mean of all tokens up to each. */
  readonly pooled: Tensor;
}

function streamInputs(graph: Graph, rows: number): StreamInputs {
  const input = (name: string) => graph.local(name, 'u32', [rows]);
  return { ids: input('ids'), modalities: input('modalities'), mask: input('mask') };
}

function streamTargets(graph: Graph, rows: number): StreamTargets {
  return {
    ...streamInputs(graph, rows),
    targets: graph.local('targets', 'u32', [rows]),
    weights: graph.local('weights', 'f32', [rows]),
  };
}

/** Features behind the backbone: tokens by their codes, each with the vector of its modality. */
function streamFeatures(forward: SparseForward, { ids, modalities }: StreamInputs): Tensor {
  const { graph, fixed } = forward;
  const codes = codebookRows(graph, ids, fixed.codebook, CODE_SCALE);
  const residual = embedding(graph, modalities, graph.parameter('modality.weight'));
  const tokens = linear(graph, codes, graph.parameter('basis.weight'), { residual });
  return sparseFeatures(forward, tokens);
}

/** The head for a whole stream. It is linear, so its mean is what it says of the mean. */
function pooledScores(forward: SparseForward, features: Tensor, mask: Tensor): Tensor {
  const { graph, sequences } = forward;
  const scores = linear(graph, features, graph.parameter('pooled.weight'), {
    bias: graph.parameter('pooled.bias'),
  });
  const [, , classes = 0] = scores.shape;
  const state = forward.state('pooled', 'f32', [sequences.slotCount, classes + 1]);
  return runningMean(graph, scores, { ...sequences, mask, state });
}

/** Targets and weights of streams, for a loss. */
export interface StreamTargets extends StreamInputs {
  /** The tokens that follow. */
  readonly targets: Tensor;
  /** `f32[rows]`: what each counts for, with a mean of 1 or, where nothing is learned, 1 or 0. */
  readonly weights: Tensor;
}

export interface MemoriedTrainProgram extends StreamTargets {
  readonly program: Program;
  /** The class of each token's sequence. */
  readonly classes: Tensor;
  readonly clock: Tensor;
  readonly rates: Tensor;
  /** `[HISTORY_SLOTS]`: mean nats per token, the same of the pooled head, and gradient norms. */
  readonly losses: Tensor;
  readonly pooledLosses: Tensor;
  readonly norms: Tensor;
}

/** One step of training on whole streams: the next token of any modality, and the class by the pooled head. */
export function traceMemoriedTraining(
  model: MemoriedModel,
  shape: BatchShape,
  optimiser: AdamWOptions,
  learning: SparseLearning,
): MemoriedTrainProgram {
  const { layout, fixed } = model;
  const structure = backboneOf(model.structure);
  const graph = new Graph('train', layout);
  const rows = shape.batch * shape.sequence;
  const inputs = streamTargets(graph, rows);
  const { targets, weights } = inputs;
  const classes = graph.local('classes', 'u32', [rows]);
  const clock = clockInput(graph);
  const rates = ratesInput(graph);
  const history = (name: string) => graph.local(name, 'f32', [HISTORY_SLOTS]);
  const [losses, pooledLosses, norms] = [history('losses'), history('pooled'), history('norms')];
  const backbone = { structure, layout, fixed };
  const { forward, ...rule } = learningForward(graph, backbone, shape, { clock, learning });
  const masked = { ...forward, mask: inputs.mask };
  const features = streamFeatures(masked, inputs);
  const next = tokenLoss(graph, tiedVocabulary(graph, fixed.codebook), features, {
    targets,
    history: { history: losses, clock, weights },
    negatives: learning.negatives,
    size: structure.vocabulary,
  });
  const pooled = pooledScores(masked, features, inputs.mask);
  const whole = crossEntropy(graph, pooled, classes, { history: pooledLosses, clock, weights });
  rule.keepMeans();
  differentiate(graph, sumOf(graph, next, whole));
  rule.learnSynapses(adamW(graph, optimiser, { rates, clock, norms }));
  const program = graph.build();
  return { program, ...inputs, classes, clock, rates, losses, pooledLosses, norms };
}

/** Two losses as one. The gradient of a loss is that of its mean, whatever it is handed. */
function sumOf(graph: Graph, a: Tensor, b: Tensor): Tensor {
  const sum = graph.scratch('sum of losses', 'f32', a.shape);
  const count = wordCount(a);
  graph.call(memoryKernels.copy, { source: a, target: sum }, { count });
  graph.call(memoryKernels.add, { addend: b, target: sum }, { count });
  graph.differentiable({
    inputs: [a, b],
    output: sum,
    backward(gradient, gradients) {
      gradients.give(a, gradient);
      gradients.give(b, gradient);
    },
  });
  return sum;
}

export interface MemoriedReadProgram extends StreamInputs, MemoriedOutputs {
  readonly program: Program;
  /** `u32[sequences]`: whose state each continues from, see `slotWord`. */
  readonly slots: Tensor;
}

/** State shared by programs that read on: membranes and spikes of each expert, and the means of router and pooling. */
export function memoriedState(): SparseForward['state'] {
  const known = new Map<string, Tensor>();
  return (name, dtype, shape) => {
    const tensor = known.get(name) ?? sharedTensor(name, dtype, shape);
    known.set(name, tensor);
    return tensor;
  };
}

/** Streams whose state is kept, where they are more than a chunk has, and who sees each block. */
interface ChunkOptions {
  readonly slotCount?: number;
  readonly visit?: (graph: Graph, slots: Tensor) => NonNullable<SparseForward['visit']>;
}

/** Reads a chunk of each of some streams and continues from where the chunk before ended. */
export function traceMemoriedChunk(
  { structure, layout, fixed }: MemoriedModel,
  { batch, sequence }: BatchShape,
  state: SparseForward['state'],
  { slotCount = batch, visit }: ChunkOptions = {},
): MemoriedReadProgram {
  const graph = new Graph(`read ${sequence}`, layout);
  const inputs = streamInputs(graph, batch * sequence);
  const slots = graph.local('slots', 'u32', [batch]);
  const forward: SparseForward = {
    graph,
    structure: backboneOf(structure),
    fixed,
    sequences: { sequence, slots, slotCount },
    state,
    balance: 0,
    mask: inputs.mask,
    ...(visit && { visit: visit(graph, slots) }),
  };
  const features = streamFeatures(forward, inputs);
  const logits = tiedVocabulary(graph, fixed.codebook).logits(features);
  const pooled = pooledScores(forward, features, inputs.mask);
  const kept = {
    logits: keep(graph, 'kept logits', logits),
    pooled: keep(graph, 'kept pooled', pooled),
  };
  return { program: graph.build(), ...inputs, ...kept, slots };
}

export interface MemoriedEvaluateProgram extends StreamTargets {
  readonly program: Program;
  readonly clock: Tensor;
  /** `[rows]`: the weighted loss of each token in nats. */
  readonly tokenLosses: Tensor;
  /** `[1, rows, classes]`, as `MemoriedOutputs`. */
  readonly pooled: Tensor;
  readonly layers: readonly LayerCount[];
}

/** Cost of each token of whole streams by the full softmax, their classes, and all spikes; no learning. */
export function traceMemoriedEvaluation(
  { structure, layout, fixed }: MemoriedModel,
  shape: BatchShape,
): MemoriedEvaluateProgram {
  const graph = new Graph('evaluate', layout);
  const rows = shape.batch * shape.sequence;
  const inputs = streamTargets(graph, rows);
  const clock = clockInput(graph);
  const history = graph.local('losses', 'f32', [1]);
  const { layers, visit } = countBlockSpikes(graph, structure.width);
  const rest = fromRest({ graph, structure: backboneOf(structure), fixed }, shape);
  const forward = { ...rest, mask: inputs.mask, visit };
  const features = streamFeatures(forward, inputs);
  const logits = tiedVocabulary(graph, fixed.codebook).logits(features);
  const { targets, weights } = inputs;
  const losses = crossEntropy(graph, logits, targets, { history, clock, weights });
  const kept = {
    tokenLosses: keep(graph, 'token losses', losses),
    pooled: keep(graph, 'kept pooled', pooledScores(forward, features, inputs.mask)),
  };
  return { program: graph.build(), ...inputs, ...kept, clock, layers };
}
