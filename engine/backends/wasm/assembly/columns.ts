import { address, bytes, whole } from './arguments';
import { GROUP, storeUpTo } from './rows';

/**
 * column_sum: one line of partial sums for each chunk of rows.
 *
 * Items      chunks x groups of 16 columns, groups innermost
 */
export function column_sum(args: usize, first: i32, last: i32, scratch: usize): void {
  const source = address(args, 0),
    partial = address(args, 1);
  const rows = whole(args, 2),
    width = whole(args, 3),
    chunk = whole(args, 4);
  const groups = (width + GROUP - 1) / GROUP,
    stride = bytes(width);
  for (let item = first; item < last; item++) {
    const line = item / groups,
      column = (item % groups) * GROUP;
    const start = line * chunk,
      height = min(chunk, rows - start);
    const from = source + stride * start + bytes(column);
    sumColumns(
      from,
      stride,
      height,
      partial + stride * line + bytes(column),
      width - column,
      false,
    );
  }
}

/**
 * reduce_rows: total (+)= the sum of all rows of the partial sums.
 *
 * Items      groups of 16 columns
 */
export function reduce_rows(args: usize, first: i32, last: i32, scratch: usize): void {
  const partial = address(args, 0),
    total = address(args, 1);
  const rows = whole(args, 2),
    width = whole(args, 3),
    accumulate = whole(args, 4) != 0;
  for (let group = first; group < last; group++) {
    const column = group * GROUP,
      at = bytes(column);
    sumColumns(partial + at, bytes(width), rows, total + at, width - column, accumulate);
  }
}

/** Adds up at most 16 columns of `rows` rows, `left` columns in front of the end. */
function sumColumns(
  from: usize,
  stride: usize,
  rows: i32,
  to: usize,
  left: i32,
  accumulate: bool,
): void {
  if (left < GROUP) {
    for (; left > 0; left -= 4, from += 16, to += 16) {
      sumQuad(from, stride, rows, to, left, accumulate);
    }
    return;
  }
  let s0 = f32x4.splat(0),
    s1 = s0,
    s2 = s0,
    s3 = s0;
  if (accumulate) {
    s0 = v128.load(to);
    s1 = v128.load(to, 16);
    s2 = v128.load(to, 32);
    s3 = v128.load(to, 48);
  }
  for (let r = 0; r < rows; r++, from += stride) {
    s0 = f32x4.add(s0, v128.load(from));
    s1 = f32x4.add(s1, v128.load(from, 16));
    s2 = f32x4.add(s2, v128.load(from, 32));
    s3 = f32x4.add(s3, v128.load(from, 48));
  }
  v128.store(to, s0);
  v128.store(to, s1, 16);
  v128.store(to, s2, 32);
  v128.store(to, s3, 48);
}

function sumQuad(
  from: usize,
  stride: usize,
  rows: i32,
  to: usize,
  left: i32,
  accumulate: bool,
): void {
  let sum = accumulate ? v128.load(to) : f32x4.splat(0);
  for (let r = 0; r < rows; r++, from += stride) sum = f32x4.add(sum, v128.load(from));
  storeUpTo(to, sum, left);
}
