/* Sizes of the kernels in assembly/ that binders have to know. */

/** Elements of an item of kernels that work element by element (rows.ts). */
export const BLOCK = 256;
/** Columns of an item of kernels that add rows up (rows.ts). */
export const GROUP = 16;
/** Lanes of a vector of floats. */
export const LANES = 4;
export const VECTOR_BYTES = 16;
/** Rows and columns of a tile of sums (tile.ts). */
export const TILE_ROWS = 6;
export const TILE_COLUMNS = 8;
export const TILE_BYTES = 4 * TILE_ROWS * TILE_COLUMNS;
/** Columns of packed weights, and events of a list, that are worked on together (events.ts). */
export const SLAB = 32;
/** Depth of a block of events (spike-linear.ts). */
export const DEPTH_BLOCK = 256;

export function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}
