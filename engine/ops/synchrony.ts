import { synchronyKernels } from '../kernels/synchrony.ts';
import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { activation } from './activation.ts';
import { expectFinite, layerShape } from './layer-shapes.ts';
import { lif, type LifOptions } from './lif.ts';
import { linear } from './linear.ts';
import { axesOf, expectShape } from './shapes.ts';

interface SynchronyInputs {
  /** `[T or 1, rows, width]` */
  readonly current: Tensor;
  /** K of each group, `[T or 1, rows, groups]`; not negative. */
  readonly coupling: Tensor;
  /** Radians that each neuron's phase turns per step on its own, `[width]`. */
  readonly frequency: Tensor;
  /** Phases before the first step, radians, `[width]`. */
  readonly start: Tensor;
}

export interface SynchronyOptions {
  readonly steps: number;
  /** Groups of neighbouring neurons; divides the width. */
  readonly groups: number;
  /** kappa: how deep the rhythm of a group modulates the current. */
  readonly modulation: number;
  /** Name of the order parameter, which is kept after the play. */
  readonly name: string;
}

interface Synchrony {
  /** The modulated current, `[T, rows, width]`. */
  readonly drive: Tensor;
  /** The order parameter R of each group, `[T, rows, groups]`, from 0 to 1. */
  readonly order: Tensor;
}

/**
 * Kuramoto phase oscillators in groups, each coupled to the mean of its group, whose rhythm modulates a
 * current.
 *
 *   R e^{i psi} = mean_j e^{i phi_j}      drive_i = I_i (1 + kappa cos(phi_i - psi))
 *   phi_i += omega_i + K R sin(psi - phi_i)
 *
 * Gradients flow from the drive into the current and the coupling, through phases and their means over
 * all steps. Frequencies and first phases are constants; R is a record, nothing flows from it.
 */
export function synchrony(
  graph: Graph,
  { current, coupling, frequency, start }: SynchronyInputs,
  { steps, groups, modulation, name }: SynchronyOptions,
): Synchrony {
  const { rows, width, currentSteps } = layerShape('synchrony', current, steps);
  expectFinite('synchrony', { modulation });
  const couplingSteps = checkGroups(coupling, { steps, rows, width, groups });
  expectShape('synchrony frequency', frequency, [width]);
  expectShape('synchrony start', start, [width]);
  const attributes = { steps, rows, width, groups, currentSteps, couplingSteps, modulation };
  const drive = graph.scratch('drive', 'f32', [steps, rows, width]);
  const phase = graph.scratch('phases', 'f32', [steps, rows, width]);
  const order = graph.local(name, 'f32', [steps, rows, groups]);
  const inputs = { current, coupling, frequency, start };
  graph.call(synchronyKernels.synchrony_forward, { ...inputs, drive, phase, order }, attributes);
  graph.differentiable({
    inputs: [current, coupling],
    output: drive,
    backward(gradient, gradients) {
      const currentGradient = graph.scratch('gradient of current', 'f32', current.shape);
      const couplingGradient = graph.scratch('gradient of coupling', 'f32', coupling.shape);
      graph.call(
        synchronyKernels.synchrony_backward,
        { current, coupling, phase, gradient, currentGradient, couplingGradient },
        attributes,
      );
      gradients.give(coupling, couplingGradient);
      gradients.give(current, currentGradient);
    },
  });
  return { drive, order };
}

function checkGroups(
  coupling: Tensor,
  { steps, rows, width, groups }: Record<'steps' | 'rows' | 'width' | 'groups', number>,
): number {
  if (!Number.isInteger(groups) || groups < 1 || width % groups !== 0) {
    throw new EngineError(
      'invalid-setting',
      `synchrony: groups is ${groups}: expected a divisor of the ${width} neurons`,
    );
  }
  const couplingSteps = axesOf('synchrony coupling', coupling).steps;
  expectShape('synchrony coupling', coupling, [couplingSteps === 1 ? 1 : steps, rows, groups]);
  return couplingSteps;
}

interface EntangledInputs extends Omit<SynchronyInputs, 'coupling'> {
  /** Features that determine the coupling, `[T or 1, rows, features]`. */
  readonly context: Tensor;
  /** w of `K = softplus(context w + b)`, `[features, groups]`. */
  readonly weight: Tensor;
  /** b, `[groups]`. */
  readonly bias: Tensor;
}

/**
 * Entangled synchrony (ours): leaky integrate-and-fire neurons whose current follows the rhythm of their
 * group, and groups whose coupling follows the context. Spikes, and R of each group at each step.
 */
export function entangledSynchrony(
  graph: Graph,
  { context, weight, bias, ...inputs }: EntangledInputs,
  options: Omit<SynchronyOptions, 'steps'> & LifOptions,
): { readonly spikes: Tensor; readonly order: Tensor } {
  const coupling = activation(graph, linear(graph, context, weight, { bias }), 'softplus');
  const { drive, order } = synchrony(graph, { ...inputs, coupling }, options);
  return { spikes: lif(graph, drive, options), order };
}
