import { plasticityKernels } from '../kernels/plasticity.ts';
import type { Graph } from '../graph/graph.ts';
import { sharedTensor, type Tensor, wordCount } from '../graph/tensor.ts';

interface TraceOptions {
  /** Fraction left after a step. */
  readonly decay: number;
  /** Increment per spike, 1 by default. */
  readonly increment?: number;
  /** A spike sets the trace instead of adding to it: only the nearest spike counts. */
  readonly saturates?: boolean;
}

/** One step of a trace of spikes, in place: `x = decay x + increment s`, `f32[rows, width]`. */
export function updateTrace(
  graph: Graph,
  spikes: Tensor,
  trace: Tensor,
  { decay, increment = 1, saturates = false }: TraceOptions,
): void {
  const width = spikes.shape.at(-1) ?? 1;
  const rows = wordCount(trace) / width;
  graph.call(
    plasticityKernels.spike_trace,
    { spikes, trace },
    { rows, width, decay, increment, saturates },
  );
}

/** A persistent trace, updated by the spikes of this step: `f32[neurons]`. */
export function traceOf(graph: Graph, name: string, spikes: Tensor, options: TraceOptions): Tensor {
  const trace = sharedTensor(name, 'f32', [spikes.shape.at(-1) ?? 1]);
  updateTrace(graph, spikes, trace, options);
  return trace;
}
