import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import type { Parameter, ParameterSpec } from '../graph/parameters.ts';
import type { Tensor } from '../graph/tensor.ts';
import type { AdamWInputs } from '../ops/adamw.ts';

/**
 * Numbers that an optimizer keeps for each parameter, of the parameter's shape. There is room for two in every
 * layout, `momentum` and `variance`, which checkpoints keep.
 */
type MomentSlot = 'momentum' | 'variance';

/** Parameters that are trained otherwise than the rest. The first group that has a parameter decides. */
export interface ParameterGroup {
  /** Which parameters: by name, or by a predicate. */
  readonly parameters: readonly string[] | ((name: string, spec: ParameterSpec) => boolean);
  /** The learning rate is multiplied by it; 1 by default, 0 leaves the parameters as they are. */
  readonly rate?: number;
  /** Weight decay instead of the optimizer's own; applies to vectors, too. */
  readonly weightDecay?: number;
}

/** How gradients are cut off before a step. */
interface Clipping {
  /** Largest global norm of all gradients together; none by default. */
  readonly norm?: number;
  /** Largest magnitude of each number of a gradient, before the norm is taken; none by default. */
  readonly value?: number;
}

/** Options of every optimizer. */
export interface OptimizerOptions {
  /** Fraction of a weight that a step takes off, times the learning rate; on matrices only. */
  readonly weightDecay?: number;
  readonly groups?: readonly ParameterGroup[];
  readonly clip?: Clipping;
}

/** Tensors of a program that the host writes before each step: see `createStepInputs`. */
export type StepTensors = AdamWInputs;

/** An optimizer: pure description, without a device. */
export interface Optimizer {
  readonly name: string;
  readonly learningRate: number;
  readonly weightDecay: number;
  /** Largest global norm of the gradients; infinite where there is none. */
  readonly clipNorm: number;
  /** Decay of the first and second moments, for the corrections in the rates of a step. */
  readonly beta1: number;
  readonly beta2: number;
  /** The numbers that it keeps of a parameter. */
  slots(spec: ParameterSpec): readonly MomentSlot[];
  /**
   * Traces a step over all parameters of the graph's layout, or those that `only` leaves. Gradients are as
   * `differentiate` left them. Where their norm is not finite nothing changes. Returns the factor that they were
   * scaled by, `f32[1]`: negative where the step was left out.
   */
  update(graph: Graph, inputs: StepTensors, only?: (parameter: Parameter) => boolean): Tensor;
}

/** Throws EngineError `invalid-setting` unless a setting lies where it is expected. */
export function expectSetting(
  optimizer: string,
  [name, value]: readonly [name: string, value: number],
  { isFit, expected }: { readonly isFit: boolean; readonly expected: string },
): void {
  if (isFit) return;
  throw new EngineError(
    'invalid-setting',
    `${optimizer}: ${name} is ${value}: expected ${expected}`,
  );
}

/** Checks what all optimizers have. */
export function checkOptions(
  optimizer: string,
  learningRate: number,
  { weightDecay = 0, groups = [], clip = {} }: OptimizerOptions,
): void {
  const positive = (name: string, value: number) =>
    expectSetting(optimizer, [name, value], { isFit: value > 0, expected: 'a positive number' });
  const notNegative = (name: string, value: number) =>
    expectSetting(optimizer, [name, value], {
      isFit: value >= 0 && Number.isFinite(value),
      expected: 'a number of at least 0',
    });
  positive('learningRate', Number.isFinite(learningRate) ? learningRate : Number.NaN);
  notNegative('weightDecay', weightDecay);
  if (clip.norm !== undefined) positive('clip.norm', clip.norm);
  if (clip.value !== undefined) positive('clip.value', clip.value);
  for (const [index, { rate = 1, weightDecay: decay = 0 }] of groups.entries()) {
    notNegative(`groups[${index}].rate`, rate);
    notNegative(`groups[${index}].weightDecay`, decay);
  }
}

/** Checks a fraction that is kept per step. */
export function expectDecay(optimizer: string, name: string, value: number): void {
  expectSetting(optimizer, [name, value], {
    isFit: value >= 0 && value < 1,
    expected: 'a number from 0 to below 1',
  });
}
