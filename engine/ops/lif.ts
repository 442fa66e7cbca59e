import { neuronKernels, type Surrogate } from '../kernels/neurons.ts';
import { carriedNeuronKernels } from '../kernels/carried-neurons.ts';
import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import {
  type Checkpoints,
  expectPositive,
  expectShares,
  expectStepsBack,
  layerShape,
} from './layer-shapes.ts';
import { neuronLayer } from './neuron-layer.ts';
import { segmentStates } from './segment-states.ts';
import { axesOf, expectShape } from './shapes.ts';

export interface LifOptions {
  /** Time steps T. A current of one step is held for all of them. */
  readonly steps: number;
  /** Fraction of the membrane kept per step, exp(-dt / tau); in [0, 1]. */
  readonly beta: number;
  /** Spikes when the membrane exceeds it, strictly. */
  readonly threshold: number;
  readonly surrogate: Surrogate;
  /** `sqrt`: the gradient takes memory for 2 sqrt(T) steps instead of T. */
  readonly checkpoints?: Checkpoints;
  /** Reset of the membrane after a spike: `subtract` the threshold (default) or set it to `zero`. */
  readonly reset?: 'subtract' | 'zero';
  /** A beta that moves while training, `f32[1]`: read in place of `beta`. Only with reset by subtraction. */
  readonly movingBeta?: Tensor | undefined;
}

/** The neurons that fired some spikes. */
interface SpikeSource {
  readonly current: Tensor;
  readonly options: LifOptions;
}

const sources = new WeakMap<Tensor, SpikeSource>();

/** The layer that fired `spikes`; undefined unless it was made by `lif`. */
export function sourceOf(spikes: Tensor): SpikeSource | undefined {
  return sources.get(spikes);
}

/** Distance from the threshold beyond which a surrogate's slope is zero; undefined where it never is. */
export function reachOf(surrogate: Surrogate): number | undefined {
  return surrogate === 'triangle' ? 1 : undefined;
}

/**
 * Leaky integrate-and-fire over all T steps in one kernel, starting from rest: spikes
 * `bits[T, rows, width]` from a current `[T or 1, rows, width]`.
 *
 *   u[t] = beta u[t-1] + I[t] - s[t-1] threshold      s[t] = 1 if u[t] > threshold else 0
 *   u[t] = beta (1 - s[t-1]) u[t-1] + I[t]            with reset to zero
 *
 * The reset is detached from the gradient, and the step of s is replaced by the surrogate's slope.
 * Membranes are not kept: the backward kernel computes them again from the current.
 */
export function lif(graph: Graph, current: Tensor, options: LifOptions): Tensor {
  const { steps, beta, threshold, surrogate, checkpoints } = options;
  expectShares('lif', { beta });
  expectPositive('lif', { threshold });
  if (options.reset === 'zero') {
    if (options.movingBeta) throw movingWithReset();
    const model = { model: 'lif_zero', decay: beta, threshold } as const;
    return neuronLayer(graph, current, model, { steps, surrogate, checkpoints });
  }
  const { rows, width, currentSteps } = layerShape('lif', current, steps);
  const attributes = { steps, rows, width, beta, threshold };
  const { movingBeta: decay } = options;
  if (decay) expectShape('lif movingBeta', decay, [1]);
  const spikes = graph.scratch('spikes', 'bits', [steps, rows, width]);
  const carried = segmentStates(graph, 'lif', { rows, width, initial: [0] });
  const forward = { ...attributes, currentSteps };
  if (carried) {
    const operands = { current, spikes, decay, ...carried.forth };
    graph.call(carriedNeuronKernels.carried_lif_forward, operands, forward);
    carried.leave();
  } else graph.call(neuronKernels.lif_forward, { current, spikes, decay }, forward);
  // Masked products read the neurons again: from rest, with a beta that is fixed.
  if (!decay && !carried) sources.set(spikes, { current, options });
  graph.differentiable({
    inputs: [current],
    output: spikes,
    isCarried: carried !== undefined,
    backward(gradient, gradients) {
      expectStepsBack('lif', steps, checkpoints);
      const all = { ...attributes, surrogate, checkpoints: checkpoints === 'sqrt' };
      if (currentSteps === steps) {
        const operands = { current, gradient, decay };
        if (carried) {
          const both = { ...operands, ...carried.back };
          graph.call(carriedNeuronKernels.carried_lif_backward, both, all);
        } else graph.call(neuronKernels.lif_backward, operands, all);
        gradients.give(current, gradient);
        return;
      }
      const currentGradient = graph.scratch('gradient of current', 'f32', current.shape);
      const operands = { current, spikeGradient: gradient, currentGradient, decay };
      if (carried) {
        const both = { ...operands, ...carried.back };
        graph.call(carriedNeuronKernels.carried_lif_backward_held, both, all);
      } else graph.call(neuronKernels.lif_backward_held, operands, all);
      gradients.give(current, currentGradient);
    },
  });
  return spikes;
}

/** The membranes that `lif` passes through, `[T, rows, width]`, kept after the play for plots. */
export function lifMembrane(
  graph: Graph,
  name: string,
  current: Tensor,
  { steps, beta, threshold, movingBeta: decay }: LifOptions,
): Tensor {
  const axes = axesOf('lifMembrane', current);
  const { rows, width } = axes;
  const membrane = graph.local(name, 'f32', [steps, rows, width]);
  const attributes = { steps, rows, width, currentSteps: axes.steps, beta, threshold };
  graph.call(neuronKernels.lif_membrane, { current, membrane, decay }, attributes);
  return membrane;
}

function movingWithReset(): EngineError {
  return new EngineError(
    'invalid-setting',
    'lif: a moving beta with reset to zero: expected reset by subtraction',
  );
}

interface SlotCounts {
  /** `u32[rows]`, see `slotWord`. */
  readonly slots: Tensor;
  /** `u32[slots, layers]` */
  readonly counts: Tensor;
  /** Whose spikes these are. */
  readonly layer: number;
}

/** Adds the spikes of each row to the count of its slot for one layer; a fresh slot counts from zero. */
export function countSlotSpikes(
  graph: Graph,
  spikes: Tensor,
  { slots, counts, layer }: SlotCounts,
): void {
  const axes = axesOf('countSlotSpikes', spikes, 'bits');
  const [sequences = 0, layers = 0] = counts.shape;
  expectShape('countSlotSpikes slots', slots, [axes.rows], 'u32');
  expectShape('countSlotSpikes counts', counts, [sequences, layers], 'u32');
  graph.call(neuronKernels.slot_spike_count, { spikes, slots, counts }, { ...axes, layers, layer });
}

/** Adds the spikes of every neuron over steps and rows to `counts`, `u32[width]`. */
export function countSpikes(graph: Graph, spikes: Tensor, counts: Tensor): void {
  const { steps, rows, width } = axesOf('countSpikes', spikes, 'bits');
  graph.call(neuronKernels.spike_count, { spikes, counts }, { rows: steps * rows, width });
}
