import { DecodeEvents, PackSlabs, SpikeProduct, SpikeProductColumns } from './generated/arguments';
import { EVENT_DEPTH, SLAB, SLAB_BYTES, TILE_COLUMNS, TILE_ROWS } from './generated/sizes';
import { bytes } from './bytes';
import { addEvents, decodeRow, packSlab } from './events';
import { placeTile, startColumns, startRows } from './linear';

/** From this share of set bits on a dense product is faster than adding events. */
const DENSE_SHARE: f32 = 0.45;
/** Floats of six rows of spikes of one block of the depth. */
const EXPANDED_BYTES: usize = 6_144;

/**
 * pack_slabs: lays weights [depth, columns] out in slabs [depth][32], zero beyond their columns.
 *
 * Items      slabs, ceil(columns / 32)
 */
export function pack_slabs(args: PackSlabs, first: i32, last: i32): void {
  const source = args.weightAt,
    target = args.slabsAt;
  const depth = args.depth,
    columns = args.columns;
  for (let slab = first; slab < last; slab++) {
    const column = slab * SLAB;
    packSlab(
      source + bytes(column),
      target + bytes(column) * depth,
      depth,
      columns,
      columns - column,
    );
  }
}

/**
 * decode_events: lists the set bits of rows of spikes, 256 inputs at a time. The list of block b of a
 * row holds the bits' places in the block as u16; it starts at the place of the block's first bit.
 *
 * Items      rows
 */
export function decode_events(args: DecodeEvents, first: i32, last: i32): void {
  const spikes = args.spikesAt,
    lists = args.listsAt,
    counts = args.countsAt;
  const depth = args.depth;
  const words = (depth + 31) >> 5,
    blocks = (depth + EVENT_DEPTH - 1) / EVENT_DEPTH;
  for (let row = first; row < last; row++) {
    decodeRow(
      spikes + bytes(words) * row,
      words,
      lists + bytes(words << 4) * row,
      counts + bytes(blocks) * row,
    );
  }
}

/**
 * spike_product: c[rows, columns] (+)= spikes weights (+ bias) (+ residual), adding the weight rows of
 * the set bits, or multiplying where more bits are set than that pays for. Each item decodes its own
 * spikes.
 *
 * Items      groups of rows
 * Scratch    counts and lists of a group; six rows as floats and a tile where it is dense
 */
export function spike_product(args: SpikeProduct, first: i32, last: i32, scratch: usize): void {
  const spikes = args.spikesAt,
    c = args.outputAt;
  const rows = args.rows,
    columns = args.columns,
    depth = args.depth;
  const words = (depth + 31) >> 5,
    blocks = (depth + EVENT_DEPTH - 1) / EVENT_DEPTH;
  const groupRows = args.groupRows,
    lists = scratch + bytes(groupRows * blocks);
  for (let group = first; group < last; group++) {
    const start = group * groupRows,
      height = min(rows - start, groupRows);
    const from = spikes + bytes(words) * start,
      to = c + bytes(columns) * start;
    const isStarted = startRows(args.epilogue, c, columns, start, start + height);
    const share = <f32>countBits(from, words * height) / (<f32>height * <f32>depth);
    if (share > DENSE_SHARE) {
      multiplyGroup(args, from, to, height, isStarted, scratch);
    } else {
      for (let row = 0; row < height; row++) {
        decodeRow(
          from + bytes(words) * row,
          words,
          lists + bytes(words << 4) * row,
          scratch + bytes(blocks) * row,
        );
      }
      addGroup(args, to, height, isStarted, lists, scratch);
    }
  }
}

function countBits(from: usize, words: i32): i32 {
  let count: i32 = 0;
  for (const end = from + bytes(words); from < end; from += 4)
    count += <i32>popcnt(load<u32>(from));
  return count;
}

/** Adds the decoded events of a group to its rows of c. */
function addGroup(
  args: SpikeProduct,
  c: usize,
  height: i32,
  isStarted: bool,
  lists: usize,
  counts: usize,
): void {
  const slabs = args.slabsAt,
    columns = args.columns,
    depth = args.depth;
  const listBytes = bytes(((depth + 31) >> 5) << 4);
  const blocks = (depth + EVENT_DEPTH - 1) / EVENT_DEPTH;
  for (let block = 0; block < blocks; block++) {
    const isFirst = block == 0 && !isStarted;
    for (let column = 0; column < columns; column += SLAB) {
      const slab = slabs + bytes(column) * depth + SLAB_BYTES * (block * EVENT_DEPTH);
      for (let row = 0; row < height; row++) {
        const list = lists + listBytes * row + bytes(block * (EVENT_DEPTH / 2));
        const count = load<i32>(counts + bytes(blocks * row + block));
        addEvents(
          list,
          count,
          slab,
          SLAB_BYTES,
          c + bytes(columns) * row + bytes(column),
          columns - column,
          isFirst,
        );
      }
    }
  }
}

/** The same as a dense product, on spikes written out as floats, six rows and one block of the depth at a time. */
function multiplyGroup(
  args: SpikeProduct,
  spikes: usize,
  c: usize,
  height: i32,
  isStarted: bool,
  scratch: usize,
): void {
  const slabs = args.slabsAt,
    columns = args.columns,
    depth = args.depth;
  const words = (depth + 31) >> 5;
  for (let row = 0; row < height; row += TILE_ROWS) {
    const tileRows = min(TILE_ROWS, height - row);
    for (let k = 0; k < depth; k += EVENT_DEPTH) {
      const block = min(EVENT_DEPTH, depth - k);
      for (let r = 0; r < tileRows; r++) {
        expandRow(
          spikes + bytes(words) * (row + r) + bytes(k >> 5),
          scratch + bytes(EVENT_DEPTH) * r,
          block,
        );
      }
      for (let column = 0; column < columns; column += TILE_COLUMNS) {
        const slab = column / SLAB,
          within = column % SLAB;
        const b = slabs + bytes(slab * SLAB) * depth + SLAB_BYTES * k + bytes(within);
        const to = c + bytes(columns) * row + bytes(column);
        placeTile(
          scratch,
          bytes(EVENT_DEPTH),
          4,
          b,
          SLAB_BYTES,
          block,
          to,
          bytes(columns),
          tileRows,
          min(TILE_COLUMNS, columns - column),
          isStarted || k > 0,
          scratch + EXPANDED_BYTES,
        );
      }
    }
  }
}

/** Bits as floats, 0 or 1. */
function expandRow(from: usize, to: usize, count: i32): void {
  for (let k = 0; k < count; k++) {
    const bit = (load<u32>(from + bytes(k >> 5)) >> (k & 31)) & 1;
    store<f32>(to + bytes(k), <f32>bit);
  }
}

/**
 * spike_product_columns: c[rows, columns] (+)= spikes weights (+ bias) (+ residual) for few rows, or for
 * a great depth, such as the gradient of weights. Takes decoded events, and weights as they lie; an item
 * copies its own slab block by block where that pays.
 *
 * Items      slabs x groups of rows, slabs innermost
 * Scratch    a block of a slab
 */
export function spike_product_columns(
  args: SpikeProductColumns,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const rows = args.rows,
    columns = args.columns,
    groupRows = args.groupRows;
  const slabs = (columns + SLAB - 1) / SLAB;
  for (let item = first; item < last; item++) {
    const start = (item / slabs) * groupRows;
    addSlab(args, (item % slabs) * SLAB, start, min(rows, start + groupRows), scratch);
  }
}

/** The events of some rows onto the columns of one slab. */
function addSlab(
  args: SpikeProductColumns,
  column: i32,
  start: i32,
  end: i32,
  scratch: usize,
): void {
  const lists = args.listsAt,
    counts = args.countsAt;
  const weights = args.weightAt,
    c = args.outputAt;
  const columns = args.columns,
    depth = args.depth,
    isCopied = args.isCopied != 0;
  const words = (depth + 31) >> 5,
    blocks = (depth + EVENT_DEPTH - 1) / EVENT_DEPTH,
    width = columns - column;
  const isStarted = startColumns(args.epilogue, c, columns, column, start, end);
  for (let block = 0; block < blocks; block++) {
    const k = block * EVENT_DEPTH;
    const from = weights + bytes(columns) * k + bytes(column);
    if (isCopied) packSlab(from, scratch, min(EVENT_DEPTH, depth - k), columns, width);
    const slab = isCopied ? scratch : from,
      stride = isCopied ? SLAB_BYTES : bytes(columns);
    for (let row = start; row < end; row++) {
      const list = lists + bytes(words << 4) * row + bytes(block * (EVENT_DEPTH / 2));
      const count = load<i32>(counts + bytes(blocks) * row + bytes(block));
      const to = c + bytes(columns) * row + bytes(column);
      addEvents(list, count, slab, stride, to, width, block == 0 && !isStarted);
    }
  }
}
