import type { KernelCall } from '../../graph/kernel-table.ts';
import { wordsPerRow } from '../../graph/tensor.ts';
import { type Binder, type Dispatch, perElement, variant } from './dispatch.ts';
import type { DeviceProfile } from './profile.ts';

/** SwiftShader compiles wide tiles three times as long and plays them 1.5 times as fast. */
const WORTH_WIDE_TILES = 2 ** 24;

type LinearKernel =
  | 'linear_forward'
  | 'linear_backward_input'
  | 'linear_backward_spikes'
  | 'linear_backward_weight'
  | 'spike_linear_forward'
  | 'spike_linear_int8'
  | 'transpose_bits';

/** How WebGPU plays products of matrices, of numbers and of spikes. */
export const linearBinders: { readonly [K in LinearKernel]: Binder<K> } = {
  linear_forward: (call, profile) => product(call, profile, {}),
  linear_backward_input: (call, profile) => product(call, profile, { TRANSPOSE_RIGHT: true }),
  linear_backward_spikes: (call, profile) => ({
    ...product(call, profile, { TRANSPOSE_RIGHT: true }),
    // Tiles are multiplied whole, wherever the slopes are.
    bindings: 3,
  }),
  linear_backward_weight: (call, profile) => product(call, profile, { TRANSPOSE_LEFT: true }),
  spike_linear_forward: (call, profile) => {
    const { rows, columns, depth } = call.attributes;
    const constants = { WORDS: wordsPerRow(depth) };
    if (profile.tiling === 'workgroup') return tiledProduct(call, profile, { SPIKES: true });
    const lanes = columns % 4 === 0 ? 4 : 1;
    const dispatch = perElement(
      'linear/spike_linear_forward',
      call,
      (rows * columns) / lanes,
      profile,
    );
    return {
      ...dispatch,
      constants: { ...dispatch.constants, ...constants },
      conditions: { ...dispatch.conditions, QUADS: lanes === 4 },
    };
  },
  spike_linear_int8: (call, profile) => {
    const { rows, columns, depth } = call.attributes;
    const words = Math.ceil(columns / 4);
    const dispatch = perElement('linear/spike_linear_int8', call, rows * words, profile);
    const constants = { WORDS: wordsPerRow(depth), BYTE_WORDS: words };
    return { ...dispatch, constants: { ...dispatch.constants, ...constants } };
  },
  transpose_bits: (call, profile) => {
    const { rows, width } = call.attributes;
    const blocks = wordsPerRow(rows) * wordsPerRow(width);
    return perElement('linear/transpose_bits', call, blocks, profile);
  },
};

type ProductKernel =
  | 'linear_forward'
  | 'linear_backward_input'
  | 'linear_backward_spikes'
  | 'linear_backward_weight'
  | 'spike_linear_forward';
type ProductCall = Extract<KernelCall, { kernel: ProductKernel }>;
type Flags = Readonly<Record<string, boolean>>;

function product(call: ProductCall, profile: DeviceProfile, flags: Flags): Dispatch {
  if (profile.tiling === 'workgroup') return tiledProduct(call, profile, flags);
  const { rows, columns, depth } = call.attributes;
  const lines = flags['TRANSPOSE_LEFT'] ? [rows, columns] : [depth, columns];
  const conditions = {
    ...flags,
    QUADS: [...lines, depth].every((length) => length % 4 === 0),
    WIDE: rows * columns * depth >= WORTH_WIDE_TILES,
  };
  // Each workgroup is 4 x 4 invocations.
  const side = conditions.WIDE ? 64 : 32;
  return {
    ...variant('linear/product', call, {}, conditions),
    workgroups: [Math.ceil(columns / side), Math.ceil(rows / side)],
  };
}

function tiledProduct(call: ProductCall, profile: DeviceProfile, flags: Flags): Dispatch {
  const { rows, columns, depth } = call.attributes;
  const conditions = { ...flags, F16: profile.halfPrecision };
  const constants = { WORDS: wordsPerRow(depth), TILE_DEPTH: profile.tileDepth };
  return {
    ...variant('linear/product_tiled', call, constants, conditions),
    workgroups: [Math.ceil(columns / 64), Math.ceil(rows / 64)],
  };
}
