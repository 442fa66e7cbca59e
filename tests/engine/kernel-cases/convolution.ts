import type { Convolution } from '../../../engine/kernels/convolution.ts';
import { windowOver } from '../../../engine/ops/window.ts';
import type { OperandData } from '../play.ts';
import type { Source } from '../random.ts';
import { bits, type CaseMakers, numbers } from './operands.ts';

/** Sums over images, taps and positions, in lines of a few images. */
export const convolutionCases = {
  conv2d_forward: (size, from) =>
    convolutions(size).map((attributes, i) => ({
      name: `${nameOf(attributes)}, bias ${i % 2 === size % 2}`,
      kernel: 'conv2d_forward',
      operands: {
        input: imagesOf(attributes, from),
        weight: numbers(weightShape(attributes), from),
        output: numbers(outputShape(attributes), from),
        ...(i % 2 === size % 2 && { bias: numbers([attributes.outputs], from) }),
      },
      attributes,
    })),
  conv2d_backward_input: (size, from) =>
    convolutions(size).map((attributes, i) => ({
      name: `${nameOf(attributes)}, accumulate ${i % 2 === 0}`,
      kernel: 'conv2d_backward_input',
      operands: {
        gradient: numbers(outputShape(attributes), from),
        weight: numbers(weightShape(attributes), from),
        inputGradient: numbers(inputShape(attributes), from),
      },
      attributes: { ...attributes, accumulate: i % 2 === 0 },
    })),
  conv2d_backward_weight: (size, from) =>
    convolutions(size).map((attributes) => ({
      name: nameOf(attributes),
      kernel: 'conv2d_backward_weight',
      operands: {
        input: imagesOf(attributes, from),
        gradient: numbers(outputShape(attributes), from),
        partial: numbers([Math.ceil(attributes.images / 2), ...weightShape(attributes)], from),
      },
      attributes: { ...attributes, chunk: 2 },
    })),
  channel_sum: (size, from) =>
    [
      { channels: 3, positions: size },
      { channels: size, positions: 5 },
    ].map(({ channels, positions }) => ({
      name: `5 images of ${channels} channels of ${positions}`,
      kernel: 'channel_sum',
      operands: {
        source: numbers([5, channels, positions], from),
        partial: numbers([3, channels], from),
      },
      attributes: { images: 5, channels, positions, chunk: 2 },
    })),
  pool2d_forward: (size, from) =>
    convolutions(size).map(({ outputs: _outputs, groups: _groups, ...window }) => ({
      name: nameOf(window),
      kernel: 'pool2d_forward',
      operands: {
        input: imagesOf(window, from),
        output: numbers(
          [window.images, window.channels * window.outHeight * window.outWidth],
          from,
        ),
      },
      attributes: { ...window, factor: 0.25 },
    })),
  pool2d_backward: (size, from) =>
    convolutions(size).map(({ outputs: _outputs, groups: _groups, ...window }, i) => ({
      name: `${nameOf(window)}, accumulate ${i % 2 === 0}`,
      kernel: 'pool2d_backward',
      operands: {
        gradient: numbers(
          [window.images, window.channels * window.outHeight * window.outWidth],
          from,
        ),
        inputGradient: numbers(inputShape(window), from),
      },
      attributes: { ...window, factor: 0.25, accumulate: i % 2 === 0 },
    })),
} satisfies Partial<CaseMakers>;

/**
 * Long rows, a small square with stride and groups, and taps that see nothing but padding. Many channels,
 * which are convolved in tiles, at two sizes: compiling those takes the time.
 */
function convolutions(size: number): Convolution[] {
  const isWide = size === 65 || size === 1000;
  const wide = { channels: isWide ? 18 : 3, height: 1, width: size };
  const line = { channels: 2, height: 2, width: size };
  const square = { channels: 6, height: 7, width: 9 };
  return [
    {
      ...{ images: 2, spikes: false, ...wide, outputs: isWide ? 19 : 5, groups: 1 },
      ...windowOver('wide', wide, [1, 3], { padding: [0, 1] }),
    },
    {
      ...{ images: 3, spikes: true, ...line, outputs: isWide ? 35 : 3, groups: 1 },
      ...windowOver('line of spikes', line, [2, 5], { padding: [0, 6], dilation: [1, 2] }),
    },
    {
      ...{ images: 1 + (size % 4), spikes: size % 2 === 0, ...square, outputs: 10, groups: 2 },
      ...windowOver('square', square, [3, 2], { stride: [2, 3], padding: 2 }),
    },
    ...(size === 1000 ? [deep] : []),
  ];
}

const deepImage = { channels: 48, height: 4, width: 5 };
/** More taps than a block of the depth holds. */
const deep: Convolution = {
  ...{ images: 2, spikes: true, ...deepImage, outputs: 7, groups: 1 },
  ...windowOver('deep', deepImage, 3, { padding: 'same' }),
};

type Windowed = Omit<Convolution, 'outputs' | 'groups'>;

function inputShape({ images, channels, height, width }: Windowed): number[] {
  return [images, channels * height * width];
}

function imagesOf(window: Windowed, from: Source): OperandData {
  // Few spikes and many are convolved in other ways.
  const density = window.images % 2 === 0 ? 0.7 : 0.2;
  return window.spikes
    ? bits(inputShape(window), from, density)
    : numbers(inputShape(window), from);
}

function outputShape({ images, outputs, outHeight, outWidth }: Convolution): number[] {
  return [images, outputs * outHeight * outWidth];
}

function weightShape({ outputs, channels, groups, kernelHeight, kernelWidth }: Convolution) {
  return [outputs, channels / groups, kernelHeight, kernelWidth];
}

function nameOf({ images, channels, height, width, spikes }: Windowed): string {
  return `${images} of ${channels} x ${height} x ${width}${spikes ? ' spikes' : ''}`;
}
