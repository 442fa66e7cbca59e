import type { KernelCall } from '../../graph/kernel.ts';
import { wordsPerRow } from '../../graph/tensor.ts';
import type { Convolution, Windowed } from '../../kernels/convolution.ts';
import type { Attributes } from '../../kernels/kernels.ts';
import { type Binder, type Dispatch, elements, type Extras, variant } from './dispatch.ts';
import type { DeviceProfile } from './profile.ts';

/** SwiftShader compiles wide tiles three times as long and plays them 1.5 times as fast. */
const MIN_WIDE_PRODUCT = 2 ** 24;
/** Rows and columns of a tile of shaders/linear/product_tiled.wgsl. */
const TILE = 64;
/** Channels that an invocation of a convolution works on. */
const LANES = 4;
/** Fewer channels leave most of a tile empty. */
const MIN_TILED_CHANNELS = 16;

type Flags = Readonly<Record<string, boolean>>;
type Product = Attributes<'linear_backward_input'>;

/** A product of matrices: in tiles of workgroup memory on GPUs, else of registers. */
export function product(flags: Flags): Binder<Omit<Product, 'accumulate'>> {
  return (call, profile) => {
    if (profile.tiling === 'workgroup') return tiledProduct(call, profile, flags);
    const { rows, columns, depth } = call.attributes;
    const lines = flags['TRANSPOSE_LEFT'] ? [rows, columns] : [depth, columns];
    const conditions = {
      ...flags,
      QUADS: [...lines, depth].every((length) => length % 4 === 0),
      WIDE: rows * columns * depth >= MIN_WIDE_PRODUCT,
    };
    // Each workgroup is 4 x 4 invocations.
    const side = conditions.WIDE ? 64 : 32;
    return {
      ...variant(call, { path: 'linear/product', conditions }),
      workgroups: [Math.ceil(columns / side), Math.ceil(rows / side)],
    };
  };
}

/** Spikes times weights: on processors by event, four columns an invocation where they come out even. */
export const spikeProduct: Binder<Attributes<'spike_linear_forward'>> = (call, profile) => {
  if (profile.tiling === 'workgroup') return tiledProduct(call, profile, { SPIKES: true });
  const { rows, columns, depth } = call.attributes;
  const QUADS = columns % 4 === 0;
  const count = (rows * columns) / (QUADS ? 4 : 1);
  const extras = { constants: { WORDS: wordsPerRow(depth) }, conditions: { QUADS } };
  return elements(
    () => count,
    () => extras,
  )(call, profile);
};

function tiledProduct(
  call: KernelCall & { readonly attributes: Omit<Product, 'accumulate'> },
  profile: DeviceProfile,
  flags: Flags,
): Dispatch {
  const { rows, columns, depth } = call.attributes;
  const conditions = { ...flags, F16: profile.halfPrecision };
  const constants = { WORDS: wordsPerRow(depth), TILE_DEPTH: profile.tileDepth };
  return {
    ...variant(call, { path: 'linear/product_tiled', conditions, constants }),
    workgroups: [Math.ceil(columns / TILE), Math.ceil(rows / TILE)],
  };
}

export const convolutionForward: Binder<Convolution> = (call, profile) => {
  const { images, channels, outputs, groups, outHeight, outWidth } = call.attributes;
  const plane = outHeight * outWidth;
  const sides = { plane, columns: outputs, depth: channels * tapsOf(call.attributes) };
  const tiled = tiledConvolution(call, sides, profile, { PATCHES: true, TRANSPOSE_RIGHT: true });
  const planes = images * groups * Math.ceil(outputs / groups / LANES);
  return tiled ?? onImages<Convolution>(() => planes * plane)(call, profile);
};

export const convolutionBackwardInput: Binder<Convolution> = (call, profile) => {
  const { images, channels, outputs, groups, height, width } = call.attributes;
  const plane = height * width;
  const sides = { plane, columns: channels, depth: outputs * tapsOf(call.attributes) };
  const tiled = tiledConvolution(call, sides, profile, { RETURNED: true, SPIKES: false });
  const planes = images * groups * Math.ceil(channels / groups / LANES);
  return tiled ?? onImages<Convolution>(() => planes * plane)(call, profile);
};

export const convolutionBackwardWeight = onImages<Attributes<'conv2d_backward_weight'>>((a) => {
  const planes = Math.ceil(a.images / a.chunk) * a.groups * Math.ceil(a.outputs / a.groups / LANES);
  return planes * (a.channels / a.groups) * tapsOf(a);
});

function tapsOf({ kernelHeight, kernelWidth }: Windowed): number {
  return kernelHeight * kernelWidth;
}

/** A convolution as a product: a row for each place of each image. */
interface Sides {
  /** Places of an image. */
  readonly plane: number;
  /** Channels of the result. */
  readonly columns: number;
  /** Channels of the operand, times taps. */
  readonly depth: number;
}

/**
 * The product in workgroup memory with a gathered left side, where it pays and fits: on GPUs, for enough
 * channels to fill a good part of a tile, in one group.
 */
function tiledConvolution(
  call: KernelCall & { readonly attributes: Convolution },
  { plane, columns, depth }: Sides,
  { tiling, halfPrecision, tileDepth, maxWorkgroups }: DeviceProfile,
  flags: Flags,
): Dispatch | undefined {
  const { images, groups, channels, height, width } = call.attributes;
  const rows = images * plane;
  const workgroups = [Math.ceil(columns / TILE), Math.ceil(rows / TILE)] as const;
  const fits = Math.max(...workgroups) <= maxWorkgroups;
  if (tiling !== 'workgroup' || groups > 1 || columns < MIN_TILED_CHANNELS || !fits)
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
  const path = 'linear/product_tiled';
  return { ...variant(call, { path, constants, conditions }), workgroups };
}

/** One invocation for each of `count` elements; a row of packed spikes is a whole image, not a line of it. */
export function onImages<A extends Windowed>(count: (a: A) => number): Binder<A> {
  return elements(count, ({ channels, height, width }): Extras => ({
    constants: { WORDS: wordsPerRow(channels * height * width) },
  }));
}
