import { encoderKernels } from '../kernels/encoders.ts';
import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { axesOf } from '../ops/shapes.ts';
import { expectCount, expectWithin } from '../checks.ts';

/** How the threshold h adapts; it begins at 1. */
export interface TasOptions {
  /** Threshold increment per spike; 0 is sigma-delta coding. */
  readonly alpha: number;
  /** Fraction of the threshold above 1 that remains after a step without a spike, in [0, 1]. */
  readonly rho: number;
}

const MAX_ALPHA = 1e6;

/**
 * Temporal analog spikes: an integrate-and-fire time-encoding machine with an adaptive threshold.
 *
 *   v += x;  if v >= h: spike, v -= h, h += alpha  else h = 1 + rho (h - 1)
 *
 * Spikes `bits[T, rows, width]` from numbers in [0, 1], `[T or 1, rows, width]`. As x <= 1 <= h, what is
 * left of v after a step is below h, so `tasDecode` errs by at most max h / T.
 */
export function tasEncode(
  graph: Graph,
  signal: Tensor,
  { steps, alpha, rho }: TasOptions & { readonly steps: number },
): Tensor {
  const { rows, width, steps: signalSteps } = axesOf('tasEncode', signal);
  expectCount('tas', 'T', steps);
  checkTas({ alpha, rho });
  if (signalSteps !== 1 && signalSteps !== steps) {
    throw new EngineError(
      'shape-mismatch',
      `tasEncode: the signal has ${signalSteps} steps, expected 1 or ${steps}`,
    );
  }
  const spikes = graph.scratch('tas spikes', 'bits', [steps, rows, width]);
  const attributes = { steps, rows, width, signalSteps, alpha, rho };
  graph.call(encoderKernels.tas_encode, { signal, spikes }, attributes);
  return spikes;
}

/** The mean of each signal, `[1, rows, width]`: the sum of h at the spikes over T. h follows from the spikes. */
export function tasDecode(graph: Graph, spikes: Tensor, { alpha, rho }: TasOptions): Tensor {
  const { steps, rows, width } = axesOf('tasDecode', spikes, 'bits');
  checkTas({ alpha, rho });
  const output = graph.scratch('tas', 'f32', [1, rows, width]);
  graph.call(encoderKernels.tas_decode, { spikes, output }, { steps, rows, width, alpha, rho });
  return output;
}

function checkTas({ alpha, rho }: TasOptions): void {
  expectWithin('tas', 'alpha', alpha, [0, MAX_ALPHA]);
  expectWithin('tas', 'rho', rho, [0, 1]);
}
