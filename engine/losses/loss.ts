import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { differentiate } from '../ops/gradients.ts';
import { batchLoss, type BatchLossOptions } from '../ops/row-losses.ts';
import { axesOf } from '../ops/shapes.ts';

/** The spikes of one layer of a network, `bits[T, rows, neurons]`. */
export interface LayerSpikes {
  readonly name: string;
  readonly spikes: Tensor;
}

/** Everything about a network's forward pass that a loss may read. Tensors that a network has not are undefined. */
export interface LossOutputs {
  /** Name of the last layer, for messages. */
  readonly name: string;
  /** Spikes of the last layer, `bits[T, rows, n]`. */
  readonly spikes?: Tensor | undefined;
  /** Membranes of the last layer in each step, differentiable, `f32[T, rows, n]`. */
  readonly membranes?: Tensor | undefined;
  /** Numbers that the network itself gives, such as those of its readout, `f32[T or 1, rows, n]`. */
  readonly values?: Tensor | undefined;
  /** The spikes of all layers that fire, in their order, for losses on rates inside the network. */
  readonly layers: readonly LayerSpikes[];
}

/**
 * The targets that a loss takes.
 *
 *   classes   u32[rows]        the class of each row
 *   values    f32[1, rows, n]  numbers that the outputs should have
 *   trains    f32[T, rows, n]  spikes that the outputs should have, as 0 and 1
 *   none                       the loss looks at no target, such as one on rates
 */
export type TargetKind = 'classes' | 'values' | 'trains' | 'none';

/** A loss: pure description, without a device. */
export interface Loss {
  readonly name: string;
  readonly target: TargetKind;
  /**
   * Whether it can be traced where steps are run in segments: it takes the steps together by ops that carry on what
   * they have, such as `spikeCounts`, `meanSteps` or `maxSteps`. False where it is left out.
   */
  readonly inSegments?: boolean;
  /**
   * Traces the loss of each row, `f32[1, rows, 1]`, differentiable. `target` is as `targetTensor` makes it, and
   * undefined where the loss takes none.
   */
  trace(graph: Graph, outputs: LossOutputs, target: Tensor | undefined): Tensor;
}

/** Shape of the targets of a batch. */
export interface TargetShape {
  readonly steps: number;
  readonly rows: number;
  readonly width: number;
}

/** The input of a program that the host writes targets into; undefined where the loss takes none. */
export function targetTensor(graph: Graph, loss: Loss, shape: TargetShape): Tensor | undefined {
  const form = targetForm(loss, shape);
  return form && graph.local('targets', form.dtype, form.shape);
}

/** Type and shape of the targets of a batch. */
export function targetForm(
  { target }: Loss,
  { steps, rows, width }: TargetShape,
): Pick<Tensor, 'dtype' | 'shape'> | undefined {
  switch (target) {
    case 'classes':
      return { dtype: 'u32', shape: [rows] };
    case 'values':
      return { dtype: 'f32', shape: [1, rows, width] };
    case 'trains':
      return { dtype: 'f32', shape: [steps, rows, width] };
    case 'none':
      return undefined;
  }
}

/** A loss that was traced. */
export interface TracedLoss {
  /** The loss of each row, `f32[1, rows, 1]`. */
  readonly losses: Tensor;
  /** Traces the gradients of all parameters that the mean loss depends on. */
  differentiate(): void;
}

/** Traces a loss, whose mean over the rows goes into the history. */
export function traceLoss(
  graph: Graph,
  loss: Loss,
  { outputs, target }: { readonly outputs: LossOutputs; readonly target: Tensor | undefined },
  options: BatchLossOptions,
): TracedLoss {
  const losses = loss.trace(graph, outputs, target);
  const { steps, width } = axesOf(`loss ${loss.name}`, losses);
  if (steps !== 1 || width !== 1) {
    throw new EngineError(
      'shape-mismatch',
      `loss ${loss.name}: expected one number a row, f32[1, rows, 1], got f32[${losses.shape.join(', ')}]`,
    );
  }
  const seed = batchLoss(graph, losses, options);
  return { losses, differentiate: () => differentiate(graph, losses, seed) };
}

/** The target of a loss that cannot do without one. */
export function expectTarget(loss: string, target: Tensor | undefined): Tensor {
  if (target) return target;
  throw new EngineError('invalid-setting', `loss ${loss}: it takes targets, and none were given`);
}
