import { convolutionKernels, type Convolution } from '../kernels/convolution.ts';
import { EngineError } from '../errors.ts';
import type { Gradients } from '../graph/gradient-rule.ts';
import type { Graph } from '../graph/graph.ts';
import { words } from '../graph/sizes.ts';
import { describe, type Tensor, wordCount } from '../graph/tensor.ts';
import { type Partial, reduceInto } from './row-sums.ts';
import { expectShape, expectWhole } from './shapes.ts';
import { type Image, imagesOf, imagesOfLine, type WindowOptions, windowOver } from './window.ts';

export interface Conv2dOptions extends WindowOptions {
  /** Shape of the image in a row of the input. */
  readonly image: Image;
  /** Groups of channels that do not see each other; as many as channels for a depthwise convolution. */
  readonly groups?: number;
  /** `[outputs]` */
  readonly bias?: Tensor;
}

/**
 * Two-dimensional convolution (cross-correlation, as in every framework) of each row as an image:
 * `[steps, rows, outputs * outHeight * outWidth]` from an input `[steps, rows, channels * height *
 * width]` of numbers or packed spikes and a weight `[outputs, channels / groups, kernelHeight,
 * kernelWidth]`. `conv2dImage` says what the rows of the output stand for.
 */
export function conv2d(
  graph: Graph,
  input: Tensor,
  weight: Tensor,
  options: Conv2dOptions,
): Tensor {
  const { bias } = options;
  const { steps, rows, ...images } = imagesOf('conv2d', input, options.image);
  const convolution: Convolution = { ...images, ...convolutionOf(weight, options) };
  const { outputs, outHeight, outWidth } = convolution;
  if (bias) expectShape('conv2d bias', bias, [outputs]);
  const positions = outHeight * outWidth;
  const output = graph.scratch('conv2d', 'f32', [steps, rows, outputs * positions]);
  graph.call(convolutionKernels.conv2d_forward, { input, weight, output, bias }, convolution);
  graph.differentiable({
    inputs: [input, weight, ...(bias ? [bias] : [])],
    output,
    backward(gradient, gradients) {
      weightGradientInto(graph, gradients, { input, weight, gradient }, convolution);
      if (bias) channelSumInto(graph, gradients, { bias, gradient }, convolution);
      gradients.into(input, (inputGradient, accumulate) =>
        graph.call(
          convolutionKernels.conv2d_backward_input,
          { gradient, weight, inputGradient },
          { ...convolution, accumulate },
        ),
      );
    },
  });
  return output;
}

/** The image that a row of the output of `conv2d` stands for. */
export function conv2dImage(
  weight: Pick<Tensor, 'shape'>,
  options: Omit<Conv2dOptions, 'bias'>,
): Image {
  const { outputs, outHeight, outWidth } = convolutionOf(weight, options);
  return { channels: outputs, height: outHeight, width: outWidth };
}

/** The geometry of a convolution. Throws EngineError where weight, image and groups do not agree. */
function convolutionOf(
  weight: Pick<Tensor, 'shape'>,
  options: Omit<Conv2dOptions, 'bias'>,
): Omit<Convolution, 'images' | 'spikes'> {
  const { image, groups = 1 } = options;
  const [outputs = 0, inputs, kernelHeight = 0, kernelWidth = 0] = weight.shape;
  expectWhole('conv2d', 'groups', groups, 1);
  if (
    weight.shape.length !== 4 ||
    inputs !== image.channels / groups ||
    !Number.isInteger(outputs / groups)
  ) {
    throw new EngineError(
      'shape-mismatch',
      `conv2d: an image of ${image.channels} channels in ${groups} groups takes a weight ` +
        `[outputs, ${image.channels / groups}, height, width] with outputs a multiple of ${groups}, ` +
        `got ${describe({ name: 'weight', dtype: 'f32', block: 'arena', shape: weight.shape })}`,
    );
  }
  const window = windowOver('conv2d', image, [kernelHeight, kernelWidth], options);
  return { ...image, ...window, outputs, groups };
}

function weightGradientInto(
  graph: Graph,
  gradients: Gradients,
  { input, weight, gradient }: { input: Tensor; weight: Tensor; gradient: Tensor },
  convolution: Convolution,
): void {
  if (!gradients.needs(weight)) return;
  const sums = lineSums(graph, weight, convolution.images);
  graph.call(
    convolutionKernels.conv2d_backward_weight,
    { input, gradient, partial: sums.tensor },
    { ...convolution, chunk: sums.chunk },
  );
  reduceInto(gradients, graph, weight, sums);
}

function channelSumInto(
  graph: Graph,
  gradients: Gradients,
  { bias, gradient }: { bias: Tensor; gradient: Tensor },
  { images, outputs, outHeight, outWidth }: Convolution,
): void {
  if (!gradients.needs(bias)) return;
  const sums = lineSums(graph, bias, images);
  graph.call(
    convolutionKernels.channel_sum,
    { source: gradient, partial: sums.tensor },
    { images, channels: outputs, positions: outHeight * outWidth, chunk: sums.chunk },
  );
  reduceInto(gradients, graph, bias, sums);
}

/** Bytes of the scratch for sums over images of a tensor of this shape. */
export function lineSumsSize(shape: readonly number[], images: number): number {
  const chunk = imagesOfLine(images, { dtype: 'f32', shape });
  return words(Math.ceil(images / chunk), ...shape);
}

/** Scratch for sums over images in two stages: `[lines, elements of the tensor]`. */
function lineSums(graph: Graph, tensor: Tensor, images: number): Partial {
  const chunk = imagesOfLine(images, tensor);
  const shape = [Math.ceil(images / chunk), wordCount(tensor)];
  return { tensor: graph.scratch(`partial sums of ${tensor.name}`, 'f32', shape), chunk };
}
