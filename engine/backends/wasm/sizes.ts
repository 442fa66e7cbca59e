/**
 * Sizes of the kernels in assembly/ that binders have to know: the build writes them down for AssemblyScript
 * (`assembly/generated/sizes.ts`), those that end in BYTES as addresses, the others as whole numbers.
 */
export { SYNAPSE_BLOCK } from '../../kernels/synapses.ts';

/** Elements of an item of kernels that work element by element. */
export const BLOCK = 256;
/** Columns of an item of kernels that add rows up: whole cache lines. */
export const GROUP = 16;
/** Lanes of a vector of floats. */
export const LANES = 4;
export const VECTOR_BYTES = 16;

/** Rows and columns of the register tile: 12 sums, 2 of the right side and 1 of the left fill 16 registers. */
export const TILE_ROWS = 6;
export const TILE_COLUMNS = 8;
export const TILE_BYTES = 4 * TILE_ROWS * TILE_COLUMNS;
/** Depth of a product that is worked on at a time: a panel of it and six rows stay in the first cache. */
export const PRODUCT_DEPTH = 384;

/** Columns, or tokens, whose sums are held in registers while events are added. */
export const SLAB = 32;
export const SLAB_BYTES = 4 * SLAB;
/** Inputs whose events are worked on at a time: their weights of one slab stay in the first cache. */
export const EVENT_DEPTH = 256;
/** Columns of signed bytes whose sums are held in registers, eight 16-bit sums a vector. */
export const INT8_SLAB = 64;
/** Rows that go through time together, so that weights in the first cache serve all of them. */
export const RECURRENT_ROWS = 8;

/** Output positions of a convolution that are worked on at a time, and the bytes of a number for each. */
export const POSITIONS = 64;
export const COUNTS_BYTES = 4 * POSITIONS;
/** Taps whose gradients are computed at a time before they are scattered; whole tiles. */
export const TAP_BLOCK = 48;
/** A line of gathered taps, with room for three floats that it may be too long. */
export const LINE_BYTES = 4 * PRODUCT_DEPTH + 16;
/** Positions of a pooling that are worked on at a time. */
export const POOL_POSITIONS = 256;

/** Floats between the lines of attention that nothing is read from. */
export const MARGIN = 16;

/** Columns of means that are added up at a time: whole words of spikes. */
export const MEANS_COLUMNS = 128;
/** Rows, and sequences, that go back in turns: what one has stored is in the cache again when it is added to. */
export const SPARSE_ROWS = 8;
export const SCAN_SEQUENCES = 4;
/** Sources of dense synapses that are worked on at a time. */
export const DENSE_SOURCES = 32;

export function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}
