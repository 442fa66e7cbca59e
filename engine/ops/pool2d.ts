import { EngineError } from '../errors.ts';
import { convolutionKernels, type Window, type Windowed } from '../kernels/convolution.ts';
import { poolingKernels } from '../kernels/pooling.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { spikeValues } from './time-readouts.ts';
import { type Image, imagesOf, type Pair, type WindowOptions, windowOver } from './window.ts';

interface Pool2dOptions extends Omit<WindowOptions, 'dilation'> {
  /** Shape of the image in a row of the input. */
  readonly image: Image;
  readonly kernel: Pair;
  /** As large as the kernel where it is left out. */
  readonly stride?: Pair;
}

/**
 * The mean of each window of each channel: `[steps, rows, channels * outHeight * outWidth]` from numbers
 * or packed spikes. Zeros of the padding count.
 */
export function averagePool2d(graph: Graph, input: Tensor, options: Pool2dOptions): Tensor {
  const { kernelHeight, kernelWidth } = windowOf(options);
  return pool(graph, input, options, 1 / (kernelHeight * kernelWidth));
}

/** The sum of each window: how many of its neurons fired. */
export function sumPool2d(graph: Graph, input: Tensor, options: Pool2dOptions): Tensor {
  return pool(graph, input, options, 1);
}

/**
 * The maximum of each window of each channel, from numbers or packed spikes; of spikes it is whether one of the
 * window's neurons fired, as the number 1. Padding is never the maximum. The gradient goes to the first tap that has it.
 */
export function maxPool2d(graph: Graph, input: Tensor, options: Pool2dOptions): Tensor {
  const source = input.dtype === 'bits' ? spikeValues(graph, input) : input;
  const { channels, height, width } = options.image;
  const { steps, rows, images } = imagesOf('maxPool2d', source, options.image);
  const window = windowOf(options);
  const { outHeight, outWidth, kernelHeight, kernelWidth } = window;
  expectInside(window);
  const shape = [steps, rows, channels * outHeight * outWidth];
  const taps = kernelHeight * kernelWidth;
  const attributes = { planes: images * channels, taps, height, width, ...window };
  const output = graph.scratch('max pool', 'f32', shape);
  const place = graph.scratch('places of maxima', 'u32', shape);
  graph.call(poolingKernels.max_pool_forward, { input: source, output, place }, attributes);
  graph.differentiable({
    inputs: [source],
    output,
    backward(gradient, gradients) {
      gradients.into(source, (target, accumulate) =>
        graph.call(
          poolingKernels.max_pool_backward,
          { gradient, place, target },
          { ...attributes, accumulate },
        ),
      );
    },
  });
  return output;
}

/** Throws unless each window lies on the image at least in part. */
function expectInside({ paddingY, paddingX, kernelHeight, kernelWidth }: Window): void {
  if (2 * paddingY <= kernelHeight && 2 * paddingX <= kernelWidth) return;
  throw new EngineError(
    'invalid-setting',
    `maxPool2d: padding is ${paddingY} x ${paddingX}: expected at most half of the kernel, ` +
      `${kernelHeight} x ${kernelWidth}`,
  );
}

/** The mean of all positions of each channel, `[steps, rows, channels]`. */
export function globalAveragePool(graph: Graph, input: Tensor, image: Image): Tensor {
  return averagePool2d(graph, input, { image, kernel: [image.height, image.width] });
}

/** The maximum over all positions of each channel, `[steps, rows, channels]`. */
export function globalMaxPool(graph: Graph, input: Tensor, image: Image): Tensor {
  return maxPool2d(graph, input, { image, kernel: [image.height, image.width] });
}

/** The image that a row of the output stands for. */
export function pool2dImage(options: Pool2dOptions): Image {
  const { outHeight, outWidth } = windowOf(options);
  return { channels: options.image.channels, height: outHeight, width: outWidth };
}

function windowOf({ image, kernel, stride = kernel, ...rest }: Pool2dOptions) {
  return windowOver('pool2d', image, kernel, { ...rest, stride });
}

function pool(graph: Graph, input: Tensor, options: Pool2dOptions, factor: number): Tensor {
  const { steps, rows, ...images } = imagesOf('pool2d', input, options.image);
  const windowed: Windowed = { ...images, ...options.image, ...windowOf(options) };
  const { channels, outHeight, outWidth } = windowed;
  const output = graph.scratch('pool2d', 'f32', [steps, rows, channels * outHeight * outWidth]);
  graph.call(convolutionKernels.pool2d_forward, { input, output }, { ...windowed, factor });
  graph.differentiable({
    inputs: [input],
    output,
    backward(gradient, gradients) {
      gradients.into(input, (inputGradient, accumulate) =>
        graph.call(
          convolutionKernels.pool2d_backward,
          { gradient, inputGradient },
          { ...windowed, factor, accumulate },
        ),
      );
    },
  });
  return output;
}
