import type { Windowed } from '../kernels/convolution.ts';
import { kernels } from '../kernels/kernels.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
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
  graph.call(kernels.pool2d_forward, { input, output }, { ...windowed, factor });
  graph.differentiable({
    inputs: [input],
    output,
    backward(gradient, gradients) {
      gradients.into(input, (inputGradient, accumulate) =>
        graph.call(
          kernels.pool2d_backward,
          { gradient, inputGradient },
          { ...windowed, factor, accumulate },
        ),
      );
    },
  });
  return output;
}
