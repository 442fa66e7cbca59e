import { linearKernels } from '../kernels/dense.ts';
import { memoryKernels } from '../kernels/memory.ts';
import { neuronKernels } from '../kernels/neurons.ts';
import { EngineError } from '../errors.ts';
import type { Gradients } from '../graph/gradient-rule.ts';
import type { Graph } from '../graph/graph.ts';
import { type Tensor, wordCount, wordsPerRow } from '../graph/tensor.ts';
import type { LifOptions } from './lif.ts';
import { putStep } from './learned-rows.ts';
import { columnSumInto } from './row-sums.ts';
import { expectAllSteps } from './segment-states.ts';
import { axesOf, expectShape } from './shapes.ts';

interface RecurrentLifOptions extends LifOptions {
  /** `[width]`, added in every step. */
  readonly bias?: Tensor;
}

/**
 * Leaky integrate-and-fire neurons that also receive their own layer's spikes of the step before, over all
 * T steps in one kernel, from rest: spikes `bits[T, rows, width]` from a current `[T or 1, rows, width]`
 * and a weight `[width, width]`, from and to.
 *
 *   u[t] = beta u[t-1] + I[t] + s[t-1] weight + bias - s[t-1] threshold
 *   s[t] = 1 if u[t] > threshold else 0
 *
 * The gradient goes back through time, through leak and weight; the reset is detached and the step of s
 * is replaced by the surrogate's slope. Membranes are kept: computing them again would cost the product.
 */
export function recurrentLif(
  graph: Graph,
  current: Tensor,
  weight: Tensor,
  options: RecurrentLifOptions,
): Tensor {
  expectAllSteps(graph, 'recurrentLif');
  const { steps, beta, threshold, surrogate, bias } = options;
  const { rows, width, steps: currentSteps } = axesOf('recurrentLif', current);
  if (currentSteps !== 1 && currentSteps !== steps) {
    throw new EngineError(
      'shape-mismatch',
      `recurrentLif: the current has ${currentSteps} steps, expected 1 or ${steps}`,
    );
  }
  expectShape('recurrentLif weight', weight, [width, width]);
  if (bias) expectShape('recurrentLif bias', bias, [width]);
  const attributes = { steps, rows, width, beta, threshold };
  const spikes = graph.scratch('recurrent spikes', 'bits', [steps, rows, width]);
  const membrane = graph.scratch('recurrent membrane', 'f32', [steps, rows, width]);
  graph.call(
    neuronKernels.recurrent_lif_forward,
    { current, weight, spikes, membrane, bias },
    { ...attributes, currentSteps },
  );
  graph.differentiable({
    inputs: [current, weight, ...(bias ? [bias] : [])],
    output: spikes,
    backward(gradient, gradients) {
      graph.call(
        neuronKernels.recurrent_lif_backward,
        { membrane, weight, gradient },
        { ...attributes, surrogate },
      );
      recurrentWeightGradientInto(graph, gradients, { spikes, weight, gradient });
      if (bias) columnSumInto(gradients, graph, bias, gradient);
      if (currentSteps === steps) gradients.give(current, gradient);
      else {
        const count = wordCount(current);
        gradients.into(current, (target, accumulate) =>
          graph.call(
            memoryKernels.sum_steps,
            { source: gradient, target },
            { count, steps, accumulate },
          ),
        );
      }
    },
  });
  return spikes;
}

interface RecurrentGradient {
  readonly spikes: Tensor;
  readonly weight: Tensor;
  /** Of the current of each step. */
  readonly gradient: Tensor;
  /** Spikes of the step before the first, `bits[rows, width]`; none where it is left out. */
  readonly before?: Tensor | undefined;
}

/** The weight carries the spikes of each step to the current of the next. */
export function recurrentWeightGradientInto(
  graph: Graph,
  gradients: Gradients,
  { spikes, weight, gradient, before }: RecurrentGradient,
): void {
  if (!gradients.needs(weight)) return;
  const { steps, rows, width } = axesOf('recurrentLif', spikes, 'bits');
  const delayed = graph.scratch('delayed spikes', 'bits', spikes.shape);
  graph.call(
    memoryKernels.delay_steps,
    { source: spikes, target: delayed },
    { count: rows * wordsPerRow(width), steps, delay: 1 },
  );
  if (before) putStep(graph, delayed, before, 0);
  const transposed = graph.scratch('transposed spikes', 'bits', [width, steps * rows]);
  graph.call(
    linearKernels.transpose_bits,
    { spikes: delayed, transposed },
    { rows: steps * rows, width },
  );
  gradients.into(weight, (weightGradient, accumulate) =>
    graph.call(
      linearKernels.spike_linear_forward,
      { spikes: transposed, weight: gradient, output: weightGradient },
      { rows: width, columns: width, depth: steps * rows, residualRows: 1, accumulate },
    ),
  );
}
