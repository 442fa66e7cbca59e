import { lossKernels } from '../kernels/losses.ts';
import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import type { LossHistory } from './cross-entropy.ts';
import { axesOf, expectShape } from './shapes.ts';

interface DistillationOptions extends LossHistory {
  /** The student's logits are divided by it; the teacher's were, too. */
  readonly temperature: number;
  /** Share of the teacher in the loss, from 0 to 1; the rest is that of the targets. */
  readonly blend: number;
}

/** Targets of the student. */
interface Targets {
  /** Probabilities at the temperature, rows adding up to 1: of the shape of the logits. */
  readonly teacher: Tensor;
  /** `u32[steps * rows]` */
  readonly targets: Tensor;
}

/**
 * Mean loss in nats of a student that learns from a teacher (Hinton, Vinyals & Dean 2015): the
 * cross-entropy of the targets, and that of the teacher's probabilities at a temperature T,
 *
 *   (1 - blend) CE(z, target) + blend T^2 CE(z / T, q)
 *
 * for logits z `[steps, rows, classes]`. Returns the loss of each row, `[steps * rows]`; as a
 * differentiable output it stands for their mean, which goes into the history.
 */
export function distillationLoss(
  graph: Graph,
  logits: Tensor,
  { teacher, targets }: Targets,
  { history, clock, temperature, blend }: DistillationOptions,
): Tensor {
  const axes = axesOf('distillationLoss', logits);
  const { width } = axes;
  const rows = axes.steps * axes.rows;
  expectShape('distillationLoss teacher', teacher, logits.shape);
  expectShape('distillationLoss targets', targets, [rows], 'u32');
  checkTemperature('distillationLoss', temperature);
  if (!(blend >= 0 && blend <= 1))
    refuse(`distillationLoss: blend is ${blend}: expected a number from 0 to 1`);
  const attributes = { rows, width, temperature, blend };
  const losses = graph.scratch('distillation losses', 'f32', [rows]);
  const scale = graph.scratch('log-sum-exp', 'f32', [rows, 2]);
  graph.call(
    lossKernels.distillation_forward,
    { logits, teacher, targets, losses, scale },
    attributes,
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
      const operands = { logits, teacher, targets, scale, logitsGradient };
      graph.call(lossKernels.distillation_backward, operands, attributes);
      gradients.give(logits, logitsGradient);
    },
  });
  return losses;
}

/** Probabilities `[1, rows, classes]` that logits stand for at a temperature. Has no gradient: a teacher does not learn. */
export function softmaxRows(graph: Graph, logits: Tensor, temperature: number): Tensor {
  const { steps, rows, width } = axesOf('softmaxRows', logits);
  checkTemperature('softmaxRows', temperature);
  const output = graph.scratch('probabilities', 'f32', logits.shape);
  graph.call(
    lossKernels.softmax_rows,
    { logits, output },
    { rows: steps * rows, width, temperature },
  );
  return output;
}

function checkTemperature(op: string, temperature: number): void {
  if (temperature > 0 && Number.isFinite(temperature)) return;
  refuse(`${op}: the temperature is ${temperature}: expected a positive number`);
}

function refuse(message: string): never {
  throw new EngineError('invalid-setting', message);
}
