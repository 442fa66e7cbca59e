import type { Convolution, Windowed } from '../../kernels/convolution.ts';
import type { Attributes } from '../../kernels/kernels.ts';
import { grainOf, over } from './commands.ts';
import {
  COUNTS_BYTES,
  LINE_BYTES,
  POOL_POSITIONS,
  POSITIONS,
  PRODUCT_DEPTH,
  roundUp,
  SLAB,
  TAP_BLOCK,
  TILE_BYTES,
  TILE_COLUMNS,
} from './sizes.ts';

/** Counts and sums in front of the lists of spikes. */
const LIST_BYTES = COUNTS_BYTES + 4 * POSITIONS * SLAB;
/** Taps are listed as u16. */
const MAX_LIST = 65_535;
/** Sums of weights that a thread may keep beside its lists. */
const MAX_SUM_BYTES = 2 ** 23;
/** Three floats that a gathered line may be too long. */
const SPILL_BYTES = 16;

/** Taps that an output adds up. */
function depthOf({ channels, groups, kernelHeight, kernelWidth }: Convolution): number {
  return (channels / groups) * kernelHeight * kernelWidth;
}

/** Whether the spikes of an image can be listed by the taps that read them. */
function canList(convolution: Convolution): boolean {
  return convolution.spikes && depthOf(convolution) <= MAX_LIST;
}

const forward = over<Convolution>(gatherItems, {
  kernel: (a) => (canList(a) ? 'spike_conv2d_forward' : 'conv2d_forward'),
  added: (_, { shared }) => ({ slabsAt: shared }),
  scratch: (a) =>
    Math.max(
      TILE_BYTES + LINE_BYTES + 4 * POSITIONS * PRODUCT_DEPTH,
      canList(a) ? LIST_BYTES + 2 * POSITIONS * depthOf(a) : 0,
    ),
  before({ attributes }, { threads }, args) {
    if (!canList(attributes)) return { commands: [] };
    const { groups, outputs } = attributes;
    const slabs = groups * Math.ceil(outputs / groups / SLAB);
    return {
      commands: [{ kernel: 'pack_filters', items: slabs, grain: grainOf(slabs, threads), args }],
      sharedBytes: 4 * slabs * SLAB * depthOf(attributes),
    };
  },
});

function gatherItems({ images, groups, outHeight, outWidth }: Convolution): number {
  return images * groups * Math.ceil((outHeight * outWidth) / POSITIONS);
}

type BackwardWeight = Attributes<'conv2d_backward_weight'>;

/** Bytes of the sums of weights of a group. */
function sumBytesOf(a: Convolution): number {
  return 4 * roundUp(a.outputs / a.groups, SLAB) * depthOf(a);
}

/** Whether sums of weights are kept beside the lists of spikes. */
function canSum(a: Convolution): boolean {
  return canList(a) && sumBytesOf(a) <= MAX_SUM_BYTES;
}

const backwardWeight = over<BackwardWeight>(weightItems, {
  kernel: (a) => (canSum(a) ? 'spike_conv2d_backward_weight' : 'conv2d_backward_weight'),
  scratch: (a) =>
    Math.max(
      TILE_BYTES + LINE_BYTES + 4 * TILE_COLUMNS * PRODUCT_DEPTH,
      canSum(a) ? LIST_BYTES + 2 * POSITIONS * depthOf(a) + sumBytesOf(a) : 0,
    ),
});

function weightItems(a: BackwardWeight): number {
  const lines = Math.ceil(a.images / a.chunk) * a.groups;
  return canSum(a) ? lines : lines * Math.ceil(depthOf(a) / TILE_COLUMNS);
}

const pool = over<Windowed>(({ images, channels }) => images * channels, {
  scratch: () => 4 * POOL_POSITIONS + SPILL_BYTES,
});

export const convolutionBinders = {
  conv2d_forward: forward,
  conv2d_backward_input: over<Attributes<'conv2d_backward_input'>>((a) => a.images * a.groups, {
    scratch: () => TILE_BYTES + 4 * TAP_BLOCK * POSITIONS,
  }),
  conv2d_backward_weight: backwardWeight,
  channel_sum: over<Attributes<'channel_sum'>>((a) => Math.ceil(a.images / a.chunk) * a.channels),
  pool2d_forward: pool,
  pool2d_backward: pool,
};
