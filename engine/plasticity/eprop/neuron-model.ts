import type { Graph } from '../../graph/graph.ts';
import { sharedTensor, type Tensor } from '../../graph/tensor.ts';
import { spikeLinear } from '../../ops/linear.ts';

/** The input spikes of a step, `bits[1, batch, inputs]`, and the recurrent ones, still those of the step before. */
interface StepSpikes {
  readonly input: Tensor;
  readonly recurrent: Tensor;
}

/**
 * Adds to the gradients of the weights into the neurons, and of what these learn. `signal` is `[batch, neurons]`,
 * `decay` the fraction of its membranes that the readout keeps.
 */
type Learn = (signal: Tensor, decay: number) => void;

/** The parts of a step that depend on the neurons. */
export interface EpropNeurons {
  /** State that a sequence begins with zeros in. */
  readonly zeroed: readonly Tensor[];
  /** Sets the state that begins elsewhere. */
  begin?(graph: Graph): void;
  /** Takes traces and neurons a step on: the new spikes overwrite the recurrent ones. */
  step(graph: Graph, spikes: StepSpikes, decay: number): Learn;
}

/** The weights into the neurons, by the spikes that they are multiplied with. */
export const SIDES = ['input', 'recurrent'] as const;

/** The current into the neurons, `[1, batch, neurons]`. */
export function currentOf(graph: Graph, { input, recurrent }: StepSpikes): Tensor {
  const weightOf = (name: string) => graph.layout.get(name).value;
  const residual = spikeLinear(graph, recurrent, weightOf('recurrent'));
  return spikeLinear(graph, input, weightOf('input'), { residual });
}

/** A tensor that lasts from step to step. */
export function carried(name: string, ...shape: number[]): Tensor {
  return sharedTensor(name, 'f32', shape);
}
