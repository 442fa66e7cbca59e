import { wordsPerRow } from '../graph/tensor.ts';
import { ACCUMULATE, int, kernelsOf } from './table.ts';
import type { AttributesOf } from '../graph/kernel.ts';

const IMAGE = { channels: 'int', height: 'int', width: 'int' } as const;

/** A window that moves over an image: input o stride + k dilation - padding of tap k, output position o. */
const WINDOW = {
  outHeight: 'int',
  outWidth: 'int',
  kernelHeight: 'int',
  kernelWidth: 'int',
  strideY: 'int',
  strideX: 'int',
  /** Zeros before the first row and column; what is missing after the last counts as zero, too. */
  paddingY: 'int',
  paddingX: 'int',
  dilationY: 'int',
  dilationX: 'int',
} as const;

const WINDOWED = {
  ...IMAGE,
  ...WINDOW,
  /** Rows of all time steps together. */
  images: 'int',
  /** Whether the images are packed spikes. */
  spikes: 'flag',
} as const;

export const CONVOLUTION = {
  ...WINDOWED,
  /** Channels of the output. */
  outputs: 'int',
  /** Channels are split into as many groups that are independent of each other. */
  groups: 'int',
} as const;

/** Images that one line of partial sums covers. */
const LINES = { chunk: 'int' } as const;

const POOLING = {
  /** Sums are multiplied by it: 1, or one over the taps for the mean. */
  factor: 'float',
  ...WINDOWED,
} as const;

export type Image = AttributesOf<typeof IMAGE>;
export type Window = AttributesOf<typeof WINDOW>;
export type Windowed = AttributesOf<typeof WINDOWED>;
export type Convolution = AttributesOf<typeof CONVOLUTION>;

/** Words of an image of spikes: a row is a whole image, not a line of it. */
const PACKED = {
  words: int((a: Image) => wordsPerRow(a.channels * a.height * a.width)),
} as const;

/** A pooling is a convolution in which every channel is a group of its own. */
const POOLED = {
  outputs: int((a: Image) => a.channels),
  groups: int((a: Image) => a.channels),
  ...PACKED,
} as const;

/** Two-dimensional convolutions and pooling. Features of a row are an image `[channels][height][width]`. */
export const convolutionKernels = kernelsOf('convolution', {
  /** Weights are `[outputs][channels / groups][kernelHeight][kernelWidth]`. */
  conv2d_forward: {
    operands: { input: 'read', weight: 'read', output: 'write', bias: 'read?' },
    attributes: CONVOLUTION,
    derived: PACKED,
  },
  conv2d_backward_input: {
    operands: { gradient: 'read', weight: 'read', inputGradient: 'update' },
    attributes: { ...CONVOLUTION, ...ACCUMULATE },
    derived: PACKED,
  },
  conv2d_backward_weight: {
    operands: { input: 'read', gradient: 'read', partial: 'write' },
    attributes: { ...CONVOLUTION, ...LINES },
    derived: PACKED,
  },
  /** Sums over the positions of each channel, one line for each `chunk` images. */
  channel_sum: {
    operands: { source: 'read', partial: 'write' },
    attributes: { images: 'int', channels: 'int', positions: 'int', ...LINES },
  },
  pool2d_forward: {
    operands: { input: 'read', output: 'write' },
    attributes: POOLING,
    derived: POOLED,
  },
  pool2d_backward: {
    operands: { gradient: 'read', inputGradient: 'update' },
    attributes: { ...ACCUMULATE, ...POOLING },
    derived: POOLED,
  },
});
