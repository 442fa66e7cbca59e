import type { Graph } from '../graph/graph.ts';
import type { Parameter, ParameterSpec } from '../graph/parameters.ts';
import { NORM_CHUNK } from '../graph/sizes.ts';
import { type Tensor, WORD_BYTES, wordCount } from '../graph/tensor.ts';
import { memoryKernels } from '../kernels/memory.ts';
import { linearKernels } from '../kernels/dense.ts';
import { optimiserKernels } from '../kernels/parameter-updates.ts';
import { optimizerKernels } from '../kernels/optimizers.ts';
import { beginStep, type BlockStep, NO_CLIPPING } from './block-step.ts';
import { lineFactors, treatmentOf } from './line-factors.ts';
import { checkOptions, expectDecay, type Optimizer, type OptimizerOptions } from './optimizer.ts';

interface MuonOptions extends OptimizerOptions {
  /** Fraction of the momentum that is kept per step. */
  readonly momentum?: number;
  readonly nesterov?: boolean;
  /** Matrices that are stepped along directions; the others are left to AdamW. All two-dimensional ones by default. */
  readonly matrices?: (name: string, spec: ParameterSpec) => boolean;
  /** Of AdamW. */
  readonly beta1?: number;
  readonly beta2?: number;
  readonly epsilon?: number;
}

const ITERATIONS = 5;
/** Of the quintic iteration: singular values end between 0.7 and 1.2 (Jordan et al. 2024). */
const [A, B, C] = [3.4445, -4.775, 2.0315];
/** A step is as large as one of AdamW, so that both take one rate (Liu et al. 2025). */
const ADAM_SIZE = 0.2;

const defaults = {
  momentum: 0.95,
  nesterov: true,
  weightDecay: 0.01,
  matrices: isMatrix,
  beta1: 0.9,
  beta2: 0.95,
  epsilon: 1e-8,
} as const;

/**
 * Muon (Jordan et al. 2024): matrices step along their momentum with its singular values made equal, by five
 * Newton-Schulz iterations in float32; AdamW steps for the rest. Steps have the size of AdamW's, 0.2 sqrt(max(rows,
 * columns)) times the rate, so that one rate and one decay serve all parameters.
 */
export function muon(learningRate: number, options: MuonOptions = {}): Optimizer {
  const all = { ...defaults, ...options };
  const { momentum, nesterov, weightDecay, clip, beta1, beta2, epsilon, matrices } = all;
  checkOptions('muon', learningRate, options);
  for (const [name, value] of Object.entries({ momentum, beta1, beta2 })) {
    expectDecay('muon', name, value);
  }
  const isOrthogonal = ({ spec }: Parameter) =>
    spec.shape.length === 2 && matrices(spec.name, spec);
  return {
    name: 'muon',
    learningRate,
    weightDecay,
    clipNorm: clip?.norm ?? NO_CLIPPING,
    beta1,
    beta2,
    slots: (spec) =>
      spec.shape.length === 2 && matrices(spec.name, spec)
        ? ['momentum']
        : ['momentum', 'variance'],
    update(graph, inputs, only = () => true) {
      const { lines, operands } = beginStep(graph, all, inputs, only);
      const factors = lineFactors(graph, all, (one) => only(one) && !isOrthogonal(one));
      const adam = { ...lines, beta1, beta2, epsilon, coupled: false };
      const { variance } = graph.layout;
      graph.call(optimizerKernels.adam_step, { ...operands, factors, variance }, adam);
      const chosen = (one: Parameter) => only(one) && isOrthogonal(one);
      const step = { lines, operands, options: all, beta: momentum, nesterov };
      stepMatrices(graph, step, chosen);
      return operands.scale;
    },
  };
}

interface MatrixStep extends BlockStep {
  readonly options: OptimizerOptions;
  readonly beta: number;
  readonly nesterov: boolean;
}

function stepMatrices(
  graph: Graph,
  { lines, operands, options, beta, nesterov }: MatrixStep,
  chosen: (parameter: Parameter) => boolean,
): void {
  const { gradients, momentum, scale, rates } = operands;
  const directions = graph.scratch('directions', 'f32', gradients.shape);
  const factors = lineFactors(graph, options, chosen);
  graph.call(
    optimizerKernels.momentum_step,
    { gradients, momentum, factors, scale, direction: directions },
    { ...lines, beta, nesterov },
  );
  for (const parameter of graph.layout.parameters.filter(chosen)) {
    const { rate, weightDecay: decay } = treatmentOf(parameter, options);
    if (rate === 0) continue;
    const direction = orthogonal(graph, directionOf(graph, parameter, directions));
    const adjusted = ADAM_SIZE * Math.sqrt(Math.max(...parameter.spec.shape));
    graph.call(
      optimizerKernels.muon_step,
      { rates, scale, direction, parameter: parameter.value },
      { count: wordCount(parameter.value), factor: rate, adjusted, decay },
    );
  }
}

function isMatrix(_name: string, { shape }: ParameterSpec): boolean {
  return shape.length === 2;
}

/** The part of the directions of all parameters that is one matrix. */
function directionOf(graph: Graph, { spec, offsetBytes }: Parameter, source: Tensor): Tensor {
  const target = graph.scratch(`direction of ${spec.name}`, 'f32', spec.shape);
  const attributes = { count: wordCount(target), offset: offsetBytes / WORD_BYTES };
  graph.call(optimizerKernels.take_words, { source, target }, attributes);
  return target;
}

/** A matrix with its singular values near 1. */
function orthogonal(graph: Graph, matrix: Tensor): Tensor {
  let x = normalised(graph, matrix);
  for (let i = 0; i < ITERATIONS; i++) {
    const square = gram(graph, x);
    const side = square.shape[0] ?? 1;
    const fourth = product(graph, copyOf(graph, square), square);
    const mixed = weightedSum(graph, [B, square], [C, fourth]);
    const isWide = side === x.shape[0];
    const moved = isWide ? product(graph, mixed, x) : product(graph, x, mixed);
    x = weightedSum(graph, [A, x], [1, moved]);
  }
  return x;
}

/** A matrix divided by its Frobenius norm. */
function normalised(graph: Graph, source: Tensor): Tensor {
  const count = wordCount(source);
  const rows = Math.ceil(count / NORM_CHUNK);
  const partial = graph.scratch('partial squared norm', 'f32', [rows]);
  const factor = graph.scratch('inverse norm', 'f32', [1]);
  const target = graph.scratch('normalised', 'f32', source.shape);
  graph.call(
    optimiserKernels.squared_norm,
    { gradients: source, partial },
    { count, chunk: NORM_CHUNK },
  );
  graph.call(optimizerKernels.inverse_norm, { partial, inverse: factor }, { rows });
  graph.call(optimizerKernels.multiply, { source, factor, target }, { count });
  return target;
}

/** The smaller of `x xT` and `xT x`. */
function gram(graph: Graph, x: Tensor): Tensor {
  const [rows = 1, columns = 1] = x.shape;
  const side = Math.min(rows, columns);
  const square = graph.scratch('gram matrix', 'f32', [side, side]);
  const size = { rows: side, columns: side, depth: Math.max(rows, columns), accumulate: false };
  if (rows <= columns) {
    const operands = { gradient: copyOf(graph, x), weight: x, inputGradient: square };
    graph.call(linearKernels.linear_backward_input, operands, size);
  } else {
    const operands = { input: copyOf(graph, x), gradient: x, weightGradient: square };
    graph.call(linearKernels.linear_backward_weight, operands, size);
  }
  return square;
}

/** WebGPU binds no tensor twice where a kernel writes others of the arena. */
function copyOf(graph: Graph, source: Tensor): Tensor {
  const target = graph.scratch(`copy of ${source.name}`, 'f32', source.shape);
  graph.call(memoryKernels.copy, { source, target }, { count: wordCount(source) });
  return target;
}

function product(graph: Graph, input: Tensor, weight: Tensor): Tensor {
  const [rows = 1, depth = 1] = input.shape;
  const [, columns = 1] = weight.shape;
  const output = graph.scratch('product', 'f32', [rows, columns]);
  const size = { rows, columns, depth, residualRows: 1 };
  graph.call(linearKernels.linear_forward, { input, weight, output }, size);
  return output;
}

type Term = readonly [weight: number, tensor: Tensor];

function weightedSum(graph: Graph, [firstWeight, first]: Term, [secondWeight, second]: Term) {
  const target = graph.scratch('weighted sum', 'f32', first.shape);
  const attributes = { count: wordCount(first), firstWeight, secondWeight };
  graph.call(optimizerKernels.weighted_sum, { first, second, target }, attributes);
  return target;
}
