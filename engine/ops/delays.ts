import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import { type Tensor, wordCount, wordsPerRow } from '../graph/tensor.ts';
import { DELAY_KERNELS, type DelayKernel, delayKernels } from '../kernels/delays.ts';
import { memoryKernels } from '../kernels/memory.ts';
import { stepKernels } from '../kernels/recurrent-equations.ts';
import { expectPositive } from './layer-shapes.ts';
import { linear, type LinearOptions, spikeLinear } from './linear.ts';
import { columnSumInto } from './row-sums.ts';
import { axesOf, expectShape, expectWhole } from './shapes.ts';

/** Most delays that a connection may have: each is a product of its own. */
const MAX_TAPS = 1024;

/** Delays with positions that are numbers, not only whole steps, so that they can be learned. */
export interface DelayOptions {
  /** Delays that there are: 0 to taps - 1 steps. */
  readonly taps: number;
  /**
   * How a delay is spread over the whole steps around its position: `triangle`, which reaches `sigma` steps to both
   * sides, or `gaussian` with that standard deviation. The weights of the taps add up to 1.
   */
  readonly kernel?: DelayKernel;
  /** In steps, or `f32[1]` for one that shrinks during training; 1 by default: between two steps, linearly. */
  readonly sigma?: number | Tensor;
}

/** The input `delay` steps later, numbers or spikes `[steps, rows, width]` as it is; zero before. */
export function delaySteps(graph: Graph, input: Tensor, delay: number): Tensor {
  const { steps, rows, width } = axesOf('delaySteps', input, input.dtype);
  if (!Number.isInteger(delay) || delay < 0 || delay > steps) {
    throw new EngineError(
      'invalid-setting',
      `delaySteps: the delay is ${delay}: expected a whole number from 0 to ${steps}`,
    );
  }
  if (delay === 0) return input;
  const target = graph.scratch('delayed', input.dtype, input.shape);
  const words = rows * (input.dtype === 'bits' ? wordsPerRow(width) : width);
  graph.call(memoryKernels.delay_steps, { source: input, target }, { count: words, steps, delay });
  graph.differentiable({
    inputs: [input],
    output: target,
    backward(gradient, gradients) {
      gradients.into(input, (into, accumulate) =>
        graph.call(
          delayKernels.advance_steps,
          { gradient, target: into },
          { count: rows * width, steps, delay, accumulate },
        ),
      );
    },
  });
  return target;
}

/**
 * The weights with which each whole delay takes part, `[taps, ...shape]`, from positions in steps. Positions below 0
 * or above taps - 1 count as those, and have the gradient of those where it leads back (dilated convolution with
 * learnable spacings, Hammouamri, Khalfaoui-Hassani & Masquelier 2024).
 */
export function delayTaps(
  graph: Graph,
  positions: Tensor,
  { taps, kernel = 'triangle', sigma = 1 }: DelayOptions,
): Tensor {
  checkOptions({ taps, kernel, sigma });
  expectShape('delayTaps positions', positions, positions.shape);
  const width = typeof sigma === 'number' ? sigmaOf(graph, positions, sigma) : sigma;
  expectShape('delayTaps sigma', width, [1]);
  const attributes = { taps, count: wordCount(positions), shape: kernel };
  const norm = graph.scratch('norms of taps', 'f32', positions.shape);
  const table = graph.scratch('taps', 'f32', [taps, ...positions.shape]);
  const reads = { positions, sigma: width };
  graph.call(delayKernels.delay_norms, { ...reads, norm }, attributes);
  graph.call(delayKernels.delay_taps_forward, { ...reads, norm, table }, attributes);
  graph.differentiable({
    inputs: [positions],
    output: table,
    backward(gradient, gradients) {
      gradients.into(positions, (target, accumulate) =>
        graph.call(
          delayKernels.delay_taps_backward,
          { ...reads, norm, gradient, target },
          { ...attributes, accumulate },
        ),
      );
    },
  });
  return table;
}

function checkOptions({ taps, kernel, sigma }: Required<DelayOptions>): void {
  expectWhole('delayTaps', 'taps', taps, 1);
  if (taps > MAX_TAPS) {
    throw new EngineError(
      'invalid-setting',
      `delayTaps: taps is ${taps}: expected at most ${MAX_TAPS}`,
    );
  }
  if (!DELAY_KERNELS.includes(kernel)) {
    throw new EngineError(
      'invalid-setting',
      `delayTaps: kernel is ${JSON.stringify(kernel)}: expected one of ${DELAY_KERNELS.join(', ')}`,
    );
  }
  if (typeof sigma !== 'number') return;
  expectPositive('delayTaps', { sigma });
  // A narrower triangle would reach no tap from between two of them.
  const least = kernel === 'triangle' ? 1 : 0.1;
  if (sigma >= least) return;
  throw new EngineError(
    'invalid-setting',
    `delayTaps: sigma is ${sigma}: expected at least ${least} for a ${kernel}`,
  );
}

function sigmaOf(graph: Graph, positions: Tensor, sigma: number): Tensor {
  const target = graph.scratch(`sigma of ${positions.name}`, 'f32', [1]);
  graph.call(memoryKernels.fill, { target }, { count: 1, value: sigma });
  return target;
}

/**
 * Each feature filtered over time with its own taps, `[steps, rows, width]` from numbers or spikes of that shape and
 * a table `[taps, width]`: `y[t] = sum over k of table[k] x[t - k]`.
 */
export function filterSteps(graph: Graph, input: Tensor, table: Tensor): Tensor {
  const spikes = input.dtype === 'bits';
  const axes = axesOf('filterSteps', input, spikes ? 'bits' : 'f32');
  const [taps = 0] = table.shape;
  expectShape('filterSteps table', table, [taps, axes.width]);
  const attributes = { ...axes, taps, spikes };
  const target = graph.scratch('filtered', 'f32', input.shape);
  graph.call(delayKernels.filter_steps_forward, { source: input, table, target }, attributes);
  graph.differentiable({
    inputs: [input, table],
    output: target,
    backward(gradient, gradients) {
      gradients.into(table, (into, accumulate) =>
        graph.call(
          delayKernels.filter_steps_backward_table,
          { source: input, gradient, target: into },
          { ...attributes, all: axes.steps * axes.rows, accumulate },
        ),
      );
      gradients.into(input, (into, accumulate) =>
        graph.call(
          delayKernels.filter_steps_backward_input,
          { gradient, table, target: into },
          { ...axes, taps, accumulate },
        ),
      );
    },
  });
  return target;
}

/**
 * Each feature some steps later, `[steps, rows, width]` from numbers or spikes of that shape: the delays of axons
 * with `positions [width]` in steps, or `[1]` for all alike, learned where they are parameters.
 */
export function delayFeatures(
  graph: Graph,
  input: Tensor,
  positions: Tensor,
  options: DelayOptions,
): Tensor {
  const { width } = axesOf('delayFeatures', input, input.dtype);
  const own = positions.shape[0] === 1 ? forEach(graph, positions, width) : positions;
  expectShape('delayFeatures positions', own, [width]);
  return filterSteps(graph, input, delayTaps(graph, own, options));
}

/** One number for each of `width` features: `[width]` from `[1]`. */
function forEach(graph: Graph, source: Tensor, width: number): Tensor {
  if (width === 1) return source;
  expectShape('delayFeatures positions', source, [1]);
  const target = graph.scratch(`${source.name} of each feature`, 'f32', [width]);
  const attributes = { rows: 1, width, single: true };
  graph.call(stepKernels.broadcast_rows, { source, target }, attributes);
  graph.differentiable({
    inputs: [source],
    output: target,
    backward: (gradient, gradients) => columnSumInto(gradients, graph, source, gradient),
  });
  return target;
}

/**
 * A linear whose connections have delays of their own: `[steps, rows, outputs]` from numbers or spikes `[steps, rows,
 * inputs]`, a weight and positions `[inputs, outputs]`. It is one product for each tap.
 *
 *   y[t] = sum over k of x[t - k] (weight * taps[k])
 */
export function delayedLinear(
  graph: Graph,
  input: Tensor,
  { weight, positions }: { readonly weight: Tensor; readonly positions: Tensor },
  { bias, residual, ...options }: DelayOptions & LinearOptions,
): Tensor {
  const { steps } = axesOf('delayedLinear', input, input.dtype);
  expectShape('delayedLinear positions', positions, weight.shape);
  const table = delayTaps(graph, positions, options);
  const multiply = input.dtype === 'bits' ? spikeLinear : linear;
  let sum = residual;
  // Longer delays than the sequence has steps bring nothing.
  for (let tap = Math.min(options.taps, steps) - 1; tap >= 0; tap--) {
    const delayed = delaySteps(graph, input, tap);
    sum = multiply(graph, delayed, tapWeight(graph, weight, table, tap), {
      ...(tap === 0 && bias && { bias }),
      ...(sum && { residual: sum }),
    });
  }
  // There is at least one tap, and one step.
  return sum as Tensor;
}

/** The weight of each connection times its part in one tap, of the weight's shape. */
function tapWeight(graph: Graph, weight: Tensor, table: Tensor, tap: number): Tensor {
  const attributes = { tap, taps: table.shape[0] ?? 1, count: wordCount(weight) };
  const target = graph.scratch(`weight of tap ${tap}`, 'f32', weight.shape);
  graph.call(delayKernels.tap_weight_forward, { weight, table, target }, attributes);
  graph.differentiable({
    inputs: [weight, table],
    output: target,
    backward(gradient, gradients) {
      gradients.into(weight, (into, accumulate) =>
        graph.call(
          delayKernels.tap_weight_backward,
          { gradient, table, target: into },
          { ...attributes, accumulate },
        ),
      );
      gradients.into(table, (into, accumulate) => {
        if (!accumulate) {
          graph.call(memoryKernels.fill, { target: into }, { count: wordCount(into), value: 0 });
        }
        graph.call(
          delayKernels.tap_weight_backward_table,
          { gradient, weight, target: into },
          attributes,
        );
      });
    },
  });
  return target;
}
