import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { rowLossKernels as kernels } from '../kernels/row-losses.ts';
import type { LossHistory } from './cross-entropy.ts';
import { expectPositive } from './layer-shapes.ts';
import { expectAllSteps } from './segment-states.ts';
import { axesOf, expectShape } from './shapes.ts';

/**
 * Negative log-likelihood in nats of `classes u32[rows]` under logits `[steps, rows, width]` in each step:
 * `[steps, rows, 1]`. Classes beyond the last count as the last.
 */
export function rowCrossEntropy(graph: Graph, values: Tensor, classes: Tensor): Tensor {
  const axes = axesOf('rowCrossEntropy', values);
  expectShape('rowCrossEntropy classes', classes, [axes.rows], 'u32');
  const losses = graph.scratch('losses', 'f32', [axes.steps, axes.rows, 1]);
  const scale = graph.scratch('log-sum-exp', 'f32', [axes.steps, axes.rows]);
  graph.call(kernels.row_cross_entropy_forward, { values, classes, losses, scale }, axes);
  graph.differentiable({
    inputs: [values],
    output: losses,
    backward(gradient, gradients) {
      gradients.into(values, (target, accumulate) =>
        graph.call(
          kernels.row_cross_entropy_backward,
          { values, classes, scale, gradient, target },
          { ...axes, accumulate },
        ),
      );
    },
  });
  return losses;
}

/**
 * Mean over the features of the squared difference from `wanted [steps or 1, rows, width]`: `[steps, rows, 1]`
 * from `[steps, rows, width]`. `wanted` has no gradient.
 */
export function rowSquaredError(graph: Graph, values: Tensor, wanted: Tensor): Tensor {
  const axes = axesOf('rowSquaredError', values);
  const targetSteps = wanted.shape[0] === 1 ? 1 : axes.steps;
  expectShape('rowSquaredError wanted', wanted, [targetSteps, axes.rows, axes.width]);
  const attributes = { ...axes, targetSteps };
  const losses = graph.scratch('squared errors', 'f32', [axes.steps, axes.rows, 1]);
  graph.call(kernels.row_squared_error_forward, { values, wanted, losses }, attributes);
  graph.differentiable({
    inputs: [values],
    output: losses,
    backward(gradient, gradients) {
      gradients.into(values, (target, accumulate) =>
        graph.call(
          kernels.row_squared_error_backward,
          { values, wanted, gradient, target },
          { ...attributes, accumulate },
        ),
      );
    },
  });
  return losses;
}

/** `correct` at the class of each row and `others` elsewhere, `[1, rows, width]` from `u32[rows]`. */
export function classValues(
  graph: Graph,
  classes: Tensor,
  { width, correct, others }: { width: number; correct: number; others: number },
): Tensor {
  const [rows = 0] = classes.shape;
  expectShape('classValues classes', classes, [rows], 'u32');
  const target = graph.scratch('wanted values', 'f32', [1, rows, width]);
  graph.call(kernels.class_values, { classes, target }, { rows, width, correct, others });
  return target;
}

/**
 * Squared van Rossum distance of each neuron's spikes from a target train, `[1, rows, width]` from numbers
 * `[steps, rows, width]` and a target of the same shape (van Rossum 2001): both trains are filtered with
 * exp(-t / tau), and the squares of their difference are added up over the steps and divided by tau, in steps.
 */
export function vanRossumDistance(
  graph: Graph,
  values: Tensor,
  wanted: Tensor,
  tau: number,
): Tensor {
  expectAllSteps(graph, 'vanRossumDistance');
  const axes = axesOf('vanRossumDistance', values);
  expectShape('vanRossumDistance wanted', wanted, values.shape);
  expectPositive('vanRossumDistance', { tau });
  const attributes = { ...axes, decay: Math.exp(-1 / tau), factor: 1 / tau };
  const difference = graph.scratch('filtered difference', 'f32', values.shape);
  const distance = graph.scratch('van Rossum distance', 'f32', [1, axes.rows, axes.width]);
  graph.call(kernels.van_rossum_forward, { values, wanted, difference, distance }, attributes);
  graph.differentiable({
    inputs: [values],
    output: distance,
    backward(gradient, gradients) {
      const target = graph.scratch('gradient of trains', 'f32', values.shape);
      graph.call(kernels.van_rossum_backward, { difference, gradient, target }, attributes);
      gradients.give(values, target);
    },
  });
  return distance;
}

/** The mean over the features of each row: `[steps, rows, 1]` from `[steps, rows, width]`. */
export function rowMeans(graph: Graph, values: Tensor): Tensor {
  const axes = axesOf('rowMeans', values);
  const losses = graph.scratch('row means', 'f32', [axes.steps, axes.rows, 1]);
  graph.call(kernels.row_means_forward, { values, losses }, axes);
  graph.differentiable({
    inputs: [values],
    output: losses,
    backward(gradient, gradients) {
      gradients.into(values, (target, accumulate) =>
        graph.call(kernels.row_means_backward, { gradient, target }, { ...axes, accumulate }),
      );
    },
  });
  return losses;
}

export interface BatchLossOptions extends LossHistory {
  /** `[rows]`: what each row counts for, 0 for one that fills up a batch; all alike where it is left out. */
  readonly weights?: Tensor | undefined;
}

/**
 * Notes the mean of per-row losses `[1, rows, 1]` down in the history, weighted where there are weights, and
 * returns its gradient, of their shape: the seed of `differentiate(graph, losses, seed)`.
 */
export function batchLoss(
  graph: Graph,
  losses: Tensor,
  { history, clock, weights }: BatchLossOptions,
): Tensor {
  const { steps, rows, width } = axesOf('batchLoss', losses);
  if (steps !== 1 || width !== 1) {
    throw new EngineError(
      'shape-mismatch',
      `batchLoss: expected one loss a row, [1, rows, 1], got [${losses.shape.join(', ')}]`,
    );
  }
  if (weights) expectShape('batchLoss weights', weights, [rows]);
  const seed = graph.scratch('gradient of losses', 'f32', losses.shape);
  const slots = history.shape[0] ?? 1;
  graph.call(kernels.batch_loss, { losses, clock, history, seed, weights }, { rows, slots });
  return seed;
}
