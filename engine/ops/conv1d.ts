import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import { describe, type Tensor } from '../graph/tensor.ts';
import { conv2d } from './conv2d.ts';
import type { Image } from './window.ts';

/** A row as channels of a signal, one behind the other. */
interface Signal {
  readonly channels: number;
  readonly length: number;
}

export interface Conv1dOptions {
  readonly signal: Signal;
  readonly stride?: number;
  /** Zeros in front and behind; `same` keeps the length (stride 1), `valid` adds none. */
  readonly padding?: number | 'same' | 'valid';
  readonly dilation?: number;
  /** Groups of channels that do not see each other; as many as channels for a depthwise convolution. */
  readonly groups?: number;
  /** `[outputs]` */
  readonly bias?: Tensor;
}

/** A signal as an image of one row. */
function signalImage({ channels, length }: Signal): Image {
  return { channels, height: 1, width: length };
}

/** The options of the convolution of images of one row that a convolution of signals is. */
export function imageOptions({
  signal,
  stride = 1,
  padding = 0,
  dilation = 1,
  ...rest
}: Conv1dOptions) {
  return {
    ...rest,
    image: signalImage(signal),
    stride: [1, stride] as const,
    padding: typeof padding === 'number' ? ([0, padding] as const) : padding,
    dilation: [1, dilation] as const,
  };
}

/**
 * One-dimensional convolution (cross-correlation) of each row as a signal: `[steps, rows, outputs * outLength]` from
 * numbers or packed spikes `[steps, rows, channels * length]` and a weight `[outputs, channels / groups, 1, kernel]`:
 * that of `conv2d` on an image of one row.
 */
export function conv1d(
  graph: Graph,
  input: Tensor,
  weight: Tensor,
  options: Conv1dOptions,
): Tensor {
  if (weight.shape.length !== 4 || weight.shape[2] !== 1) {
    throw new EngineError(
      'shape-mismatch',
      `conv1d: expected a weight [outputs, channels / groups, 1, kernel], got ${describe(weight)}`,
    );
  }
  return conv2d(graph, input, weight, imageOptions(options));
}
