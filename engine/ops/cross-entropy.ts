import { lossKernels } from '../kernels/losses.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { axesOf, expectShape } from './shapes.ts';

export interface LossHistory {
  /** `[slots]`: the loss of a play lands in the slot the clock names. */
  readonly history: Tensor;
  /** As `clockInput`. */
  readonly clock: Tensor;
}

export interface CrossEntropyOptions extends LossHistory {
  /**
   * `[steps * rows]`: what each row counts for, such as 0 where there is nothing to predict; 1 where they
   * are left out. Rows are still divided by their number: weights whose mean is 1 make a weighted mean.
   */
  readonly weights?: Tensor;
}

/**
 * Mean negative log-likelihood in nats of `targets u32[steps * rows]` under `logits [steps, rows,
 * vocabulary]`, over steps and rows. Returns the loss of each, `[steps * rows]`, weighted; their mean goes into
 * the history, so that many steps can be played before anything is read back. As a differentiable
 * output it stands for that mean.
 */
export function crossEntropy(
  graph: Graph,
  logits: Tensor,
  targets: Tensor,
  { history, clock, weights }: CrossEntropyOptions,
): Tensor {
  const axes = axesOf('crossEntropy', logits);
  const { width } = axes;
  const rows = axes.steps * axes.rows;
  expectShape('crossEntropy targets', targets, [rows], 'u32');
  if (weights) expectShape('crossEntropy weights', weights, [rows]);
  const losses = graph.scratch('losses', 'f32', [rows]);
  const scale = graph.scratch('log-sum-exp', 'f32', [rows]);
  graph.call(
    lossKernels.cross_entropy_forward,
    { logits, targets, losses, scale, weights },
    { rows, width },
  );
  graph.call(
    lossKernels.mean_loss,
    { losses, clock, history },
    { rows, slots: history.shape[0] ?? 1 },
  );
  graph.differentiable({
    inputs: [logits],
    output: losses,
    backward(_gradient, gradients) {
      const logitsGradient = graph.scratch('gradient of logits', 'f32', logits.shape);
      graph.call(
        lossKernels.cross_entropy_backward,
        { logits, targets, scale, logitsGradient, weights },
        { rows, width },
      );
      gradients.give(logits, logitsGradient);
    },
  });
  return losses;
}
