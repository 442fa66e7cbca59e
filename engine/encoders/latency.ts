import { encoderKernels } from '../kernels/encoders.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { axesOf, expectShape } from '../ops/shapes.ts';
import { expectPositive, expectCount, expectWithin } from '../checks.ts';

/** How the time of the spike falls with the number. */
export type LatencyCurve =
  /** `t = tau ln(x / (x - theta))`: a leaky membrane with time constant tau that x drives to theta. */
  | { readonly curve: 'logarithmic'; readonly tau: number }
  /** `t = (1 - x) (T - 1)` */
  | { readonly curve: 'linear' };

export type LatencyOptions = LatencyCurve & {
  /** Time steps T. */
  readonly steps: number;
  /** Numbers up to this one have no spike; .01 by default. */
  readonly theta?: number;
};

/**
 * The code as a table: step t has a spike for `bounds[t + 1] < x <= bounds[t]`, which decodes to
 * `values[t]`.
 */
interface LatencyTable {
  readonly bounds: Float32Array;
  readonly values: Float32Array;
}

const THETA = 0.01;
/** The first step has no upper bound. */
const MAX_VALUE = 3.4e38;

/**
 * The table of a latency code: a number belongs to the step its time rounds to. Devices compare with this
 * table instead of computing logarithms, so that all of them have the same spikes.
 */
export function latencyTable(options: LatencyOptions): LatencyTable {
  const { steps, theta = THETA } = options;
  expectCount('latency', 'T', steps);
  expectWithin('latency', 'theta', theta, [0, 1]);
  if (options.curve === 'logarithmic') {
    expectPositive('latency', 'tau', options.tau);
    expectPositive('latency', 'theta of the logarithmic curve', theta);
  }
  const bounds = Float32Array.from({ length: steps + 1 }, (_, t) =>
    t === 0 ? MAX_VALUE : Math.max(theta, intensityAt(options, t - 0.5)),
  );
  const values = Float32Array.from({ length: steps }, (_, t) => {
    const [high = 1, low = 0] = bounds.subarray(t, t + 2);
    const value = Math.fround(Math.min(1, intensityAt(options, t)));
    // Numbers up to theta have no spike: the last steps decode to the middle of their range above it.
    return value > low ? value : (low + Math.min(1, high)) / 2;
  });
  return { bounds, values };
}

/** The number whose spike is at time `t`: the inverse of the curve. */
function intensityAt(options: LatencyOptions, t: number): number {
  if (options.curve === 'logarithmic') {
    return (options.theta ?? THETA) / (1 - Math.exp(-t / options.tau));
  }
  return options.steps === 1 ? 1 - 2 * t : 1 - t / (options.steps - 1);
}

/**
 * Latency code: one spike or none, the earlier the larger the number. Spikes `bits[T, rows, width]` from
 * intensities `[1, rows, width]`. A number that is not above theta, or whose time lies beyond the last
 * step, has no spike.
 */
export function latencyEncode(graph: Graph, intensity: Tensor, options: LatencyOptions): Tensor {
  const { rows, width } = axesOf('latencyEncode', intensity);
  expectShape('latencyEncode', intensity, [1, rows, width]);
  const { steps } = options;
  const table = latencyTable(options).bounds;
  const bounds = graph.constant(`latency bounds of ${intensity.name}`, [steps + 1], table);
  const spikes = graph.scratch('latency spikes', 'bits', [steps, rows, width]);
  graph.call(encoderKernels.latency_encode, { intensity, bounds, spikes }, { steps, rows, width });
  return spikes;
}

/** The numbers that the times of the first spikes decode to, `[1, rows, width]`; zero without a spike. */
export function latencyDecode(graph: Graph, spikes: Tensor, options: LatencyOptions): Tensor {
  const { rows, width } = axesOf('latencyDecode', spikes, 'bits');
  const { steps } = options;
  expectShape('latencyDecode', spikes, [steps, rows, width], 'bits');
  const table = latencyTable(options).values;
  const values = graph.constant(`latency values of ${spikes.name}`, [steps], table);
  const output = graph.scratch('latency', 'f32', [1, rows, width]);
  graph.call(encoderKernels.latency_decode, { spikes, values, output }, { steps, rows, width });
  return output;
}
