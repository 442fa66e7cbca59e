import type { Convolution, Windowed } from '../../kernels/convolution.ts';
import type { Attributes } from '../../kernels/kernels.ts';
import { type Argument, type Binder, type Command, grainOf, over, real } from './commands.ts';
import { roundUp, SLAB, TILE_BYTES, TILE_COLUMNS } from './sizes.ts';

/* The sizes of engine/backends/wasm/assembly/{convolution,spike-convolution*,pooling,tile}.ts. */
const CHUNK = 64;
const DEPTH_BLOCK = 384;
const TAP_BLOCK = 48;
const LINE_BYTES = 1_552;
const POOL_CHUNK = 256;
/** Counts and sums in front of the lists of spikes. */
const LIST_BYTES = 256 + 4 * CHUNK * SLAB;
/** Taps are listed as u16. */
const MAX_LIST = 65_535;
/** Sums of weights that a thread may keep beside its lists. */
const MAX_SUM_BYTES = 2 ** 23;
/** Three floats that a gathered line may be too long. */
const SPILL_BYTES = 16;

/** The words of a window, in the order of engine/backends/wasm/assembly/window.ts. */
function windowWords(window: Windowed, outputs: number, groups: number): number[] {
  const { images, channels, height, width, outHeight, outWidth, spikes } = window;
  return [
    ...[images, channels, height, width, outputs, outHeight, outWidth],
    ...[window.kernelHeight, window.kernelWidth, window.strideY, window.strideX],
    ...[window.paddingY, window.paddingX, window.dilationY, window.dilationX],
    ...[groups, Number(spikes)],
  ];
}

/** Taps that an output adds up. */
function depthOf({ channels, groups, kernelHeight, kernelWidth }: Convolution): number {
  return (channels / groups) * kernelHeight * kernelWidth;
}

/** Whether the spikes of an image can be listed by the taps that read them. */
function canList(convolution: Convolution): boolean {
  return convolution.spikes && depthOf(convolution) <= MAX_LIST;
}

const forward: Binder<Convolution> = ({ operands, attributes }, { at, shared, threads }) => {
  const { images, outputs, groups, outHeight, outWidth } = attributes;
  const items = images * groups * Math.ceil((outHeight * outWidth) / CHUNK);
  const depth = depthOf(attributes);
  const isListed = canList(attributes);
  const window = windowWords(attributes, outputs, groups);
  const { input, weight, output, bias } = operands;
  const gather: Command = {
    kernel: isListed ? 'spike_conv2d_forward' : 'conv2d_forward',
    items,
    grain: grainOf(items, threads),
    args: [...[input, weight, output, bias].map(at), ...window, shared],
    scratchBytes: Math.max(
      TILE_BYTES + LINE_BYTES + 4 * CHUNK * DEPTH_BLOCK,
      isListed ? LIST_BYTES + 2 * CHUNK * depth : 0,
    ),
  };
  if (!isListed) return { commands: [gather] };
  const slabs = groups * Math.ceil(outputs / groups / SLAB);
  const pack: Command = {
    kernel: 'pack_filters',
    items: slabs,
    grain: grainOf(slabs, threads),
    args: [at(weight), shared, 0, 0, ...window],
  };
  return { commands: [pack, gather], sharedBytes: 4 * slabs * SLAB * depth };
};

type BackwardWeight = Attributes<'conv2d_backward_weight'>;

/** Bytes of the sums of weights of a group. */
function sumBytesOf(a: Convolution): number {
  return 4 * roundUp(a.outputs / a.groups, SLAB) * depthOf(a);
}

const backwardWeight: Binder<BackwardWeight> = (call, site) => {
  const { attributes } = call;
  const depth = depthOf(attributes);
  const sumBytes = sumBytesOf(attributes);
  const isListed = canList(attributes) && sumBytes <= MAX_SUM_BYTES;
  const lines = Math.ceil(attributes.images / attributes.chunk) * attributes.groups;
  const items = isListed ? lines : lines * Math.ceil(depth / TILE_COLUMNS);
  return over<BackwardWeight>(() => items, {
    kernel: isListed ? 'spike_conv2d_backward_weight' : 'conv2d_backward_weight',
    args: ({ operands: { input, gradient, partial } }, { at }) => [
      ...[at(input), at(gradient), at(partial), attributes.chunk],
      ...windowWords(attributes, attributes.outputs, attributes.groups),
    ],
    scratch: () =>
      Math.max(
        TILE_BYTES + LINE_BYTES + 4 * TILE_COLUMNS * DEPTH_BLOCK,
        isListed ? LIST_BYTES + 2 * CHUNK * depth + sumBytes : 0,
      ),
  })(call, site);
};

type Pooling = Attributes<'pool2d_forward'> & { readonly accumulate?: boolean };

const pool = over<Pooling>(({ images, channels }) => images * channels, {
  args({ operands, attributes }, { at }): readonly Argument[] {
    const { input, gradient, output, inputGradient } = operands;
    const { channels, factor, accumulate = false } = attributes;
    return [
      ...[at(input ?? gradient), at(output ?? inputGradient), real(factor), Number(accumulate)],
      ...windowWords(attributes, channels, channels),
    ];
  },
  scratch: () => 4 * POOL_CHUNK + SPILL_BYTES,
});

export const convolutionBinders = {
  conv2d_forward: forward,
  conv2d_backward_input: over<Attributes<'conv2d_backward_input'>>((a) => a.images * a.groups, {
    args: ({ operands: { gradient, weight, inputGradient }, attributes: a }, { at }) => [
      ...[at(gradient), at(weight), at(inputGradient), Number(a.accumulate)],
      ...windowWords(a, a.outputs, a.groups),
    ],
    scratch: () => TILE_BYTES + 4 * TAP_BLOCK * CHUNK,
  }),
  conv2d_backward_weight: backwardWeight,
  channel_sum: over<Attributes<'channel_sum'>>((a) => Math.ceil(a.images / a.chunk) * a.channels),
  pool2d_forward: pool,
  pool2d_backward: pool,
};
