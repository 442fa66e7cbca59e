/**
 * Two-dimensional convolutions and pooling. Features of a row are an image `[channels][height][width]`;
 * `images` is the number of rows of all time steps together.
 */
export const convolutionRoles = {
  conv2d_forward: { input: 'read', weight: 'read', output: 'write', bias: 'read?' },
  conv2d_backward_input: { gradient: 'read', weight: 'read', inputGradient: 'update' },
  conv2d_backward_weight: { input: 'read', gradient: 'read', partial: 'write' },
  channel_sum: { source: 'read', partial: 'write' },
  pool2d_forward: { input: 'read', output: 'write' },
  pool2d_backward: { gradient: 'read', inputGradient: 'update' },
} as const;

export interface Image {
  readonly channels: number;
  readonly height: number;
  readonly width: number;
}

/** A window that moves over an image: which input tap k of output position o reads, o stride + k dilation - padding. */
export interface Window {
  readonly outHeight: number;
  readonly outWidth: number;
  readonly kernelHeight: number;
  readonly kernelWidth: number;
  readonly strideY: number;
  readonly strideX: number;
  /** Zeros in front of the first row and column; what is missing behind the last counts as zero, too. */
  readonly paddingY: number;
  readonly paddingX: number;
  readonly dilationY: number;
  readonly dilationX: number;
}

/** The images that a window goes over, and whether they are packed spikes. */
export interface Windowed extends Image, Window {
  readonly images: number;
  readonly spikes: boolean;
}

export interface Convolution extends Windowed {
  /** Channels of the output. */
  readonly outputs: number;
  /** Channels are split into as many groups that do not see each other. */
  readonly groups: number;
}

interface Accumulate {
  readonly accumulate: boolean;
}

/** Images that one line of partial sums covers. */
interface Lines {
  readonly chunk: number;
}

interface Pooling extends Windowed {
  /** What sums are multiplied by: 1, or one over the taps for the mean. */
  readonly factor: number;
}

export interface ConvolutionAttributes {
  /** Weights are `[outputs][channels / groups][kernelHeight][kernelWidth]`. */
  readonly conv2d_forward: Convolution;
  readonly conv2d_backward_input: Convolution & Accumulate;
  readonly conv2d_backward_weight: Convolution & Lines;
  /** Sums over the positions of each channel, one line for each `chunk` images. */
  readonly channel_sum: Lines & {
    readonly images: number;
    readonly channels: number;
    readonly positions: number;
  };
  readonly pool2d_forward: Pooling;
  readonly pool2d_backward: Pooling & Accumulate;
}
