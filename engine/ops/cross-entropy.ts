import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { axesOf, expectShape } from './shapes.ts';

export interface LossHistory {
  /** `[slots]`: the loss of a play lands in the slot the clock names. */
  readonly history: Tensor;
  /** As `clockInput`. */
  readonly clock: Tensor;
}

/**
 * Mean negative log-likelihood in nats of `targets u32[steps * rows]` under `logits [steps, rows,
 * vocabulary]`, over steps and rows. Returns the loss of each, `[steps * rows]`; their mean goes into
 * the history, so that many steps can be played before anything is read back. As a differentiable
 * output it stands for that mean.
 */
export function crossEntropy(
  graph: Graph,
  logits: Tensor,
  targets: Tensor,
  { history, clock }: LossHistory,
): Tensor {
  const axes = axesOf('crossEntropy', logits);
  const { width } = axes;
  const rows = axes.steps * axes.rows;
  expectShape('crossEntropy targets', targets, [rows], 'u32');
  const losses = graph.scratch('losses', 'f32', [rows]);
  const scale = graph.scratch('log-sum-exp', 'f32', [rows]);
  graph.call('cross_entropy_forward', { logits, targets, losses, scale }, { rows, width });
  graph.call('mean_loss', { losses, clock, history }, { rows, slots: history.shape[0] ?? 1 });
  graph.differentiable({
    inputs: [logits],
    output: losses,
    backward(_gradient, gradients) {
      const logitsGradient = graph.scratch('gradient of logits', 'f32', logits.shape);
      graph.call(
        'cross_entropy_backward',
        { logits, targets, scale, logitsGradient },
        { rows, width },
      );
      gradients.give(logits, logitsGradient);
    },
  });
  return losses;
}
