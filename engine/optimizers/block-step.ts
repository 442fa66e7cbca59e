import type { Graph } from '../graph/graph.ts';
import type { Parameter } from '../graph/parameters.ts';
import type { Tensor } from '../graph/tensor.ts';
import { optimizerKernels } from '../kernels/optimizers.ts';
import { globalNorm } from '../ops/adamw.ts';
import { lineFactors, linesOf } from './line-factors.ts';
import type { OptimizerOptions, StepTensors } from './optimizer.ts';

/** A norm that no gradient reaches: an infinite one has no meaning in a shader. */
export const NO_CLIPPING = 1e30;

const all = () => true;

/** Lines and operands of a step over the whole parameter block. */
export interface BlockStep {
  readonly lines: ReturnType<typeof linesOf>;
  readonly operands: {
    readonly parameters: Tensor;
    readonly gradients: Tensor;
    readonly momentum: Tensor;
    readonly factors: Tensor;
    readonly scale: Tensor;
    readonly rates: Tensor;
  };
}

/** Clips the gradients and gathers what a step of `only` some parameters reads. */
export function beginStep(
  graph: Graph,
  options: OptimizerOptions,
  inputs: StepTensors,
  only: (parameter: Parameter) => boolean = all,
): BlockStep {
  const { values, gradients, momentum } = graph.layout;
  const lines = linesOf(graph.layout);
  const factors = lineFactors(graph, options, only);
  const limit = options.clip?.value;
  if (limit !== undefined) {
    graph.call(optimizerKernels.clip_values, { gradients, factors }, { ...lines, limit });
  }
  const scale = globalNorm(graph, inputs);
  const { rates } = inputs;
  return { lines, operands: { parameters: values, gradients, momentum, factors, scale, rates } };
}
