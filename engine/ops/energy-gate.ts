import { ruleKernels } from '../kernels/rules.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { expectFinite, expectPositive } from './layer-shapes.ts';
import { axesOf, expectSequences, expectShape } from './shapes.ts';

/** A full neuron, what a spike costs, what a step supplies, and the least that a spike needs. */
export const defaultEnergy = { capacity: 255, consumption: 1, rate: 5, threshold: 10 } as const;

interface EnergyOptions extends Partial<Record<keyof typeof defaultEnergy, number>> {
  /** Rows of one batch entry, which its neurons pass one after the other; the rows are a multiple of it. */
  readonly sequence: number;
  /** Go on from the energy as it is; else all neurons start full. */
  readonly carried: boolean;
}

interface EnergyInputs {
  /** `bits[T, rows, width]` */
  readonly spikes: Tensor;
  /** By how much dearer than others the spikes of a neuron are, `[width]`. */
  readonly importance: Tensor;
  /** Factor of the supply of each step, `f32[1]`; see `rewardSignal`. */
  readonly supply: Tensor;
  /** Energy of each neuron of each batch entry, `[rows / sequence, width]`; it lasts if it is not scratch. */
  readonly energy: Tensor;
}

/**
 * Masks the spikes of neurons that have run out of energy: `bits[T, rows, width]`.
 *
 *   fires = s and energy >= threshold
 *   energy = clamp(energy - fires consumption importance + rate supply, 0, capacity)
 *
 * Time runs over the T steps of a token and then over the tokens of a sequence, so no token depends on
 * later ones. The mask is a constant to the gradient: what is masked gets none.
 */
export function energyGate(
  graph: Graph,
  { spikes, importance, supply, energy }: EnergyInputs,
  { sequence, carried, ...given }: EnergyOptions,
): Tensor {
  const { steps, rows, width } = axesOf('energyGate', spikes, 'bits');
  const { capacity, consumption, rate, threshold } = { ...defaultEnergy, ...given };
  expectSequences('energyGate', rows, sequence);
  expectShape('energyGate importance', importance, [width]);
  expectShape('energyGate supply', supply, [1]);
  expectShape('energyGate energy', energy, [rows / sequence, width]);
  expectPositive('energyGate', { capacity });
  expectFinite('energyGate', { consumption, rate, threshold });
  const gated = graph.scratch('gated spikes', 'bits', spikes.shape);
  const open = graph.scratch('gates', 'bits', spikes.shape);
  graph.call(
    ruleKernels.energy_gate,
    { spikes, importance, supply, energy, gated, open },
    { steps, rows, width, sequence, capacity, consumption, rate, threshold, carried },
  );
  graph.differentiable({
    inputs: [spikes],
    output: gated,
    backward(gradient, gradients) {
      graph.call(ruleKernels.mask_gradient, { mask: open, gradient }, { steps, rows, width });
      gradients.give(spikes, gradient);
    },
  });
  return gated;
}
