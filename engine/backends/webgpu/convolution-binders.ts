import type { ConvolutionAttributes, Windowed } from '../../graph/convolution-kernels.ts';
import { wordsPerRow } from '../../graph/tensor.ts';
import { type Binder, type Call, type Dispatch, perElement, variant } from './dispatch.ts';
import type { DeviceProfile } from './profile.ts';

type ConvolutionKernel = keyof ConvolutionAttributes;

/** Channels that an invocation of a convolution works on. */
const LANES = 4;
/** Rows and columns of a tile of shaders/linear/product_tiled.wgsl. */
const TILE = 64;
/** Fewer channels leave most of a tile empty. */
const FEW_CHANNELS = 16;

/** Convolutions and pooling, in gather form: no two invocations write the same word, and no atomics. */
export const convolutionBinders: { readonly [K in ConvolutionKernel]: Binder<K> } = {
  conv2d_forward: (call, profile) => {
    const { images, channels, outputs, groups, outHeight, outWidth } = call.attributes;
    const plane = outHeight * outWidth;
    const sides = { plane, columns: outputs, depth: channels * tapsOf(call.attributes) };
    const tiled = tiledConvolution(call, sides, profile, { PATCHES: true, TRANSPOSE_RIGHT: true });
    if (tiled) return tiled;
    const planes = images * groups * Math.ceil(outputs / groups / LANES);
    return onImages('convolution/conv2d_forward', call, planes * plane, profile);
  },
  conv2d_backward_input: (call, profile) => {
    const { images, channels, outputs, groups, height, width } = call.attributes;
    const plane = height * width;
    const sides = { plane, columns: channels, depth: outputs * tapsOf(call.attributes) };
    const tiled = tiledConvolution(call, sides, profile, { RETURNED: true, SPIKES: false });
    if (tiled) return tiled;
    const planes = images * groups * Math.ceil(channels / groups / LANES);
    return onImages('convolution/conv2d_backward_input', call, planes * plane, profile);
  },
  conv2d_backward_weight: (call, profile) => {
    const { images, chunk, channels, outputs, groups } = call.attributes;
    const planes = Math.ceil(images / chunk) * groups * Math.ceil(outputs / groups / LANES);
    const depth = (channels / groups) * tapsOf(call.attributes);
    return onImages('convolution/conv2d_backward_weight', call, planes * depth, profile);
  },
  channel_sum: (call, profile) => {
    const { images, chunk, channels } = call.attributes;
    const sums = Math.ceil(images / chunk) * channels;
    return perElement('convolution/channel_sum', call, sums, profile);
  },
  pool2d_forward: (call, profile) => {
    const { images, channels, outHeight, outWidth } = call.attributes;
    const count = images * channels * outHeight * outWidth;
    return onImages('convolution/pool2d_forward', call, count, profile);
  },
  pool2d_backward: (call, profile) => {
    const { images, channels, height, width } = call.attributes;
    const count = images * channels * height * width;
    return onImages('convolution/pool2d_backward', call, count, profile);
  },
};

function tapsOf({ kernelHeight, kernelWidth }: Windowed): number {
  return kernelHeight * kernelWidth;
}

/** A convolution as a product: a row for each place of each image. */
interface Sides {
  /** Places of an image. */
  readonly plane: number;
  /** Channels that come out. */
  readonly columns: number;
  /** Channels that go in, times taps. */
  readonly depth: number;
}

/**
 * The product in workgroup memory with a gathered left side, where it pays and fits: on GPUs, for enough
 * channels to fill a good part of a tile, in one group.
 */
function tiledConvolution(
  call: Call<'conv2d_forward' | 'conv2d_backward_input'>,
  { plane, columns, depth }: Sides,
  { tiling, halfPrecision, tileDepth, maxWorkgroups }: DeviceProfile,
  flags: Readonly<Record<string, boolean>>,
): Dispatch | undefined {
  const { images, groups, channels, height, width } = call.attributes;
  const rows = images * plane;
  const workgroups = [Math.ceil(columns / TILE), Math.ceil(rows / TILE)] as const;
  const isFitting = Math.max(...workgroups) <= maxWorkgroups;
  if (tiling !== 'workgroup' || groups > 1 || columns < FEW_CHANNELS || !isFitting)
    return undefined;
  const constants = {
    ROWS: rows,
    COLUMNS: columns,
    DEPTH: depth,
    PLANE: plane,
    TILE_DEPTH: tileDepth,
    WORDS: wordsPerRow(channels * height * width),
  };
  const conditions = { ...flags, F16: halfPrecision };
  return { ...variant('linear/product_tiled', call, constants, conditions), workgroups };
}

/** An image is a whole row of packed spikes, not one of its lines. */
function onImages(
  path: string,
  call: Call<Exclude<ConvolutionKernel, 'channel_sum'>>,
  invocations: number,
  profile: DeviceProfile,
): Dispatch {
  const { channels, height, width }: Windowed = call.attributes;
  const dispatch = perElement(path, call, invocations, profile);
  const words = { WORDS: wordsPerRow(channels * height * width) };
  return { ...dispatch, constants: { ...dispatch.constants, ...words } };
}
