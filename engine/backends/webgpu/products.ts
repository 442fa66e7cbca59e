import type { KernelCall } from '../../graph/kernel.ts';
import type { Convolution, Windowed } from '../../kernels/convolution.ts';
import type { Attributes } from '../../kernels/kernels.ts';
import { type Binder, type Dispatch, elements, variant } from './dispatch.ts';
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
/** The name of a shader for each operand that has another there. */
type Names = Readonly<Record<string, string>>;
type Product = Attributes<'linear_backward_input'>;

/**
 * A product of matrices: in tiles of workgroup memory on GPUs, else of registers.
 *
 * @param names the operands that are its left and right side and its output
 */
export function product(names: Names, flags: Flags = {}): Binder<Omit<Product, 'accumulate'>> {
  return (call, profile) => {
    if (profile.tiling === 'workgroup') return tiledProduct(call, profile, { names, flags });
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
      ...variant(call, { path: 'linear/product', names, conditions }),
      workgroups: [Math.ceil(columns / side), Math.ceil(rows / side)],
    };
  };
}

const SPIKES_TIMES = { spikes: 'left', weight: 'right' };

/** Spikes times weights: on processors by event, four columns an invocation where they come out even. */
export const spikeProduct: Binder<Attributes<'spike_linear_forward'>> = (call, profile) => {
  if (profile.tiling === 'workgroup') {
    return tiledProduct(call, profile, { names: SPIKES_TIMES, flags: { SPIKES: true } });
  }
  const { rows, columns } = call.attributes;
  const QUADS = columns % 4 === 0;
  const count = (rows * columns) / (QUADS ? 4 : 1);
  const extras = { conditions: { QUADS } };
  return elements(
    () => count,
    () => extras,
  )(call, profile);
};

function tiledProduct(
  call: KernelCall & { readonly attributes: Omit<Product, 'accumulate'> },
  profile: DeviceProfile,
  { names, flags }: { readonly names: Names; readonly flags: Flags },
): Dispatch {
  const { rows, columns } = call.attributes;
  const conditions = { ...flags, F16: profile.halfPrecision };
  const constants = { TILE_DEPTH: profile.tileDepth };
  return {
    ...variant(call, { path: 'linear/product_tiled', names, conditions, constants }),
    workgroups: [Math.ceil(columns / TILE), Math.ceil(rows / TILE)],
  };
}

export const convolutionForward: Binder<Convolution> = (call, profile) => {
  const { images, channels, outputs, groups, outHeight, outWidth } = call.attributes;
  const plane = outHeight * outWidth;
  const sides = { plane, columns: outputs, depth: channels * tapsOf(call.attributes) };
  const tiled = tiledConvolution(call, sides, profile, { PATCHES: true, TRANSPOSE_RIGHT: true });
  const planes = images * groups * Math.ceil(outputs / groups / LANES);
  return tiled ?? elements<Convolution>(() => planes * plane)(call, profile);
};

export const convolutionBackwardInput: Binder<Convolution> = (call, profile) => {
  const { images, channels, outputs, groups, height, width } = call.attributes;
  const plane = height * width;
  const sides = { plane, columns: channels, depth: outputs * tapsOf(call.attributes) };
  const tiled = tiledConvolution(call, sides, profile, { RETURNED: true, SPIKES: false });
  const planes = images * groups * Math.ceil(channels / groups / LANES);
  return tiled ?? elements<Convolution>(() => planes * plane)(call, profile);
};

export const convolutionBackwardWeight = elements<Attributes<'conv2d_backward_weight'>>((a) => {
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
  const { images, groups } = call.attributes;
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
  };
  const conditions = { ...flags, F16: halfPrecision };
  const path = 'linear/product_tiled';
  const names = { weight: 'right', inputGradient: 'output' };
  return { ...variant(call, { path, names, constants, conditions }), workgroups };
}
