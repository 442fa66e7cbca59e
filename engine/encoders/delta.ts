import { encoderKernels } from '../kernels/encoders.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { axesOf } from '../ops/shapes.ts';
import { expectPositive, expectCount, refuseSetting } from '../checks.ts';

export interface DeltaOptions {
  /** The change that a spike stands for. */
  readonly threshold: number;
  /**
   * Reference of a change: the previous `sample`, or the `level` reached by the spikes so far (send on
   * delta), which follows a signal that changes by at most the threshold per step to within the threshold.
   */
  readonly from: 'sample' | 'level';
}

/**
 * Delta code: ON when `x[t] - r >= threshold`, OFF when `<= -threshold`, with r the sample before or the
 * level sent; r is 0 before the first. Spikes `bits[T, rows, 2 width]`, all ON neurons and then all OFF,
 * from a signal `[T, rows, width]`.
 */
export function deltaEncode(graph: Graph, signal: Tensor, options: DeltaOptions): Tensor {
  const { steps, rows, width } = axesOf('deltaEncode', signal);
  expectCount('delta', 'T', steps);
  expectPositive('delta', 'threshold', options.threshold);
  const { threshold, from } = options;
  const spikes = graph.scratch('delta spikes', 'bits', [steps, rows, 2 * width]);
  graph.call(
    encoderKernels.delta_encode,
    { signal, spikes },
    { steps, rows, width, threshold, level: from === 'level' },
  );
  return spikes;
}

/** The signal reconstructed from the spikes, `[T, rows, width]`: threshold times ON minus OFF so far. */
export function deltaDecode(
  graph: Graph,
  spikes: Tensor,
  { threshold }: Pick<DeltaOptions, 'threshold'>,
): Tensor {
  const { steps, rows, width: neurons } = axesOf('deltaDecode', spikes, 'bits');
  const width = neurons / 2;
  if (!Number.isInteger(width)) {
    refuseSetting(
      `delta: rows have ${neurons} neurons: expected an ON and an OFF one for each signal`,
    );
  }
  expectPositive('delta', 'threshold', threshold);
  const output = graph.scratch('delta', 'f32', [steps, rows, width]);
  graph.call(encoderKernels.delta_decode, { spikes, output }, { steps, rows, width, threshold });
  return output;
}
