import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { delaySteps } from '../ops/delays.ts';
import { spikeLinear } from '../ops/linear.ts';

interface Recurrent {
  /** Of the neurons themselves, `bits[T, rows, neurons]`. */
  readonly spikes: Tensor;
  readonly weight: Tensor;
  readonly bias?: Tensor;
}

/** The current of recurrent neurons, their own spikes of the step before in it, once these are known. */
export function withOwnSpikes(
  graph: Graph,
  current: Tensor,
  { spikes, weight, bias }: Recurrent,
): Tensor {
  const before = delaySteps(graph, spikes, 1);
  return spikeLinear(graph, before, weight, { residual: current, ...(bias && { bias }) });
}
