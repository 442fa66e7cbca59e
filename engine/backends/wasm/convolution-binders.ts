import type {
  Convolution,
  ConvolutionAttributes,
  Windowed,
} from '../../graph/convolution-kernels.ts';
import { type Command, grainOf, real, single, type WasmBinders } from './commands.ts';

/* The sizes of engine/backends/wasm/assembly/{convolution,spike-convolution*,pooling,tile}.ts. */
const CHUNK = 64;
const DEPTH_BLOCK = 384;
const TAP_BLOCK = 48;
const TILE_COLUMNS = 8;
const TILE_BYTES = 192;
const LINE_BYTES = 1_552;
const POOL_CHUNK = 256;
const SLAB = 32;
/** Counts and sums in front of the lists of spikes. */
const LIST_BYTES = 256 + 4 * CHUNK * SLAB;
/** Taps are listed as u16. */
const LONGEST_LIST = 65_535;
/** Sums of weights that a thread may keep beside its lists. */
const LARGEST_SUMS = 2 ** 23;
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
  return convolution.spikes && depthOf(convolution) <= LONGEST_LIST;
}

export const convolutionBinders: WasmBinders<keyof ConvolutionAttributes> = {
  conv2d_forward: ({ operands, attributes }, { at, shared, threads }) => {
    const { images, outputs, groups, outHeight, outWidth } = attributes;
    const items = images * groups * Math.ceil((outHeight * outWidth) / CHUNK);
    const depth = depthOf(attributes);
    const isListed = canList(attributes);
    const window = windowWords(attributes, outputs, groups);
    const gather: Command = {
      kernel: isListed ? 'spike_conv2d_forward' : 'conv2d_forward',
      items,
      grain: grainOf(items, threads),
      args: [
        ...[at(operands.input), at(operands.weight), at(operands.output), at(operands.bias)],
        ...[...window, shared],
      ],
      scratchBytes: Math.max(
        TILE_BYTES + LINE_BYTES + 4 * CHUNK * DEPTH_BLOCK,
        isListed ? LIST_BYTES + 2 * CHUNK * depth : 0,
      ),
    };
    if (!isListed) return single(gather);
    const slabs = groups * Math.ceil(outputs / groups / SLAB);
    const pack: Command = {
      kernel: 'pack_filters',
      items: slabs,
      grain: grainOf(slabs, threads),
      args: [at(operands.weight), shared, 0, 0, ...window],
    };
    return { commands: [pack, gather], sharedBytes: 4 * slabs * SLAB * depth };
  },
  conv2d_backward_input: ({ operands, attributes }, { at, threads }) => {
    const { images, outputs, groups, accumulate } = attributes;
    const items = images * groups;
    return single({
      kernel: 'conv2d_backward_input',
      items,
      grain: grainOf(items, threads),
      args: [
        ...[at(operands.gradient), at(operands.weight), at(operands.inputGradient)],
        ...[Number(accumulate), ...windowWords(attributes, outputs, groups)],
      ],
      scratchBytes: TILE_BYTES + 4 * TAP_BLOCK * CHUNK,
    });
  },
  conv2d_backward_weight: ({ operands, attributes }, { at, threads }) => {
    const { images, outputs, groups, chunk } = attributes;
    const depth = depthOf(attributes);
    const sumBytes = 4 * SLAB * Math.ceil(outputs / groups / SLAB) * depth;
    const isListed = canList(attributes) && sumBytes <= LARGEST_SUMS;
    const lines = Math.ceil(images / chunk) * groups;
    const items = isListed ? lines : lines * Math.ceil(depth / TILE_COLUMNS);
    return single({
      kernel: isListed ? 'spike_conv2d_backward_weight' : 'conv2d_backward_weight',
      items,
      grain: grainOf(items, threads),
      args: [
        ...[at(operands.input), at(operands.gradient), at(operands.partial), chunk],
        ...windowWords(attributes, outputs, groups),
      ],
      scratchBytes: Math.max(
        TILE_BYTES + LINE_BYTES + 4 * TILE_COLUMNS * DEPTH_BLOCK,
        isListed ? LIST_BYTES + 2 * CHUNK * depth + sumBytes : 0,
      ),
    });
  },
  channel_sum: ({ operands, attributes }, { at, threads }) => {
    const { images, channels, positions, chunk } = attributes;
    const items = Math.ceil(images / chunk) * channels;
    return single({
      kernel: 'channel_sum',
      items,
      grain: grainOf(items, threads),
      args: [at(operands.source), at(operands.partial), images, channels, positions, chunk],
    });
  },
  pool2d_forward: ({ operands, attributes }, { at, threads }) => {
    const { images, channels, factor } = attributes;
    return single({
      kernel: 'pool2d_forward',
      items: images * channels,
      grain: grainOf(images * channels, threads),
      args: [
        ...[at(operands.input), at(operands.output), real(factor), 0],
        ...windowWords(attributes, channels, channels),
      ],
      scratchBytes: 4 * POOL_CHUNK + SPILL_BYTES,
    });
  },
  pool2d_backward: ({ operands, attributes }, { at, threads }) => {
    const { images, channels, factor, accumulate } = attributes;
    return single({
      kernel: 'pool2d_backward',
      items: images * channels,
      grain: grainOf(images * channels, threads),
      args: [
        ...[at(operands.gradient), at(operands.inputGradient), real(factor), Number(accumulate)],
        ...windowWords(attributes, channels, channels),
      ],
      scratchBytes: 4 * POOL_CHUNK + SPILL_BYTES,
    });
  },
};
