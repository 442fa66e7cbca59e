import { LinearBackwardSpikes } from './generated/arguments';
import { TILE_COLUMNS, TILE_ROWS } from './generated/sizes';
import { bytes, strideOf } from './bytes';
import { placeTile } from './linear';
import { integrate } from './neurons';
import { madd } from './simd';

/** Rows of one time step that an item takes through all steps: one tile of a dense product. */
const GROUP_ROWS: i32 = TILE_ROWS;
/** From this share of neurons with a slope on a dense product is faster, by the length of the sums. */
const SHALLOW_SHARE: f32 = 0.33;
const DEEP_SHARE: f32 = 0.48;
const DEEP: i32 = 256;
/** Neurons that are worked on at a time: their weights stay in the caches for all rows of a group. */
const BLOCK: i32 = 48;
/** Dot products that are summed side by side. */
const WIDE: i32 = 8;

/**
 * masked_product: the gradient of spikes, c[rows, columns] (+)= a weight^T, computed only for neurons
 * whose surrogate has a slope at their membrane; the others are zero, as their slope would make them.
 * Where most neurons of a group have one, its rows are multiplied whole.
 *
 * Items      groups of 6 rows, all time steps of each
 * Scratch    membranes, then for each row of the group a count, a place, and a list of neurons as u16
 */
export function masked_product(
  args: LinearBackwardSpikes,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const rows = args.rows / args.steps,
    columns = args.columns,
    steps = args.steps;
  const output = args.inputGradientAt,
    accumulate = args.accumulate != 0;
  const share = args.depth < DEEP ? SHALLOW_SHARE : DEEP_SHARE;
  const most = share * <f32>(steps * columns);
  for (let group = first; group < last; group++) {
    const start = group * GROUP_ROWS,
      height = min(GROUP_ROWS, rows - start);
    // The first row speaks for the group: listing all to find that it was in vain takes a tenth of the time.
    if (<f32>listRows(args, start, 0, 1, scratch) > most) {
      for (let t = 0; t < steps; t++) multiplyWhole(args, t * rows + start, height, scratch);
      continue;
    }
    if (!accumulate) {
      for (let t = 0; t < steps; t++) {
        memory.fill(output + bytes(columns) * (t * rows + start), 0, bytes(columns) * height);
      }
    }
    listRows(args, start, 1, height, scratch);
    multiplyListed(args, start, height, scratch);
  }
}

/** All columns of one tile of rows. */
function multiplyWhole(args: LinearBackwardSpikes, row: i32, height: i32, scratch: usize): void {
  const columns = args.columns,
    depth = args.depth,
    add = args.accumulate != 0;
  const a = args.gradientAt + bytes(depth) * row,
    c = args.inputGradientAt + bytes(columns) * row;
  const panels = args.panelsAt;
  for (let column = 0; column < columns; column += TILE_COLUMNS) {
    placeTile(
      a,
      bytes(depth),
      4,
      panels + bytes(column) * depth,
      32,
      depth,
      c + bytes(column),
      bytes(columns),
      height,
      min(TILE_COLUMNS, columns - column),
      add,
      scratch,
    );
  }
}

/** Bytes of a row's list: its count, its place and its neurons. */
function listBytes(columns: i32): usize {
  return 8 + ((((<usize>columns) << 1) + 7) & ~7);
}

/**
 * Takes rows `from` to before `to` of a group through all steps and lists for each the neurons that have
 * a slope; returns how many there are.
 */
function listRows(args: LinearBackwardSpikes, start: i32, from: i32, to: i32, scratch: usize): i32 {
  const columns = args.columns,
    steps = args.steps,
    stride = bytes(
      strideOf(args.currentSteps, args.steps, (args.rows / args.steps) * args.columns),
    );
  const beta = f32x4.splat(args.beta),
    threshold = f32x4.splat(args.threshold);
  const reach = f32x4.splat(args.reach);
  let all: i32 = 0;
  const padded = (columns + 3) & ~3,
    list = listBytes(columns);
  for (let row = from; row < to; row++) {
    const current = args.currentAt + bytes(columns) * (start + row);
    memory.fill(scratch, 0, bytes(padded));
    for (let t = 0; t < steps; t++) {
      const at = scratch + bytes(padded) + list * (t * GROUP_ROWS + row);
      const count = listStep(
        current + stride * t,
        scratch,
        columns,
        at + 8,
        beta,
        threshold,
        reach,
      );
      store<i32>(at, count);
      store<i32>(at, 0, 4);
      all += count;
    }
  }
  return all;
}

/** One time step of a row: membranes on, neurons near the threshold into the list; returns how many. */
function listStep(
  current: usize,
  membranes: usize,
  columns: i32,
  list: usize,
  beta: v128,
  threshold: v128,
  reach: v128,
): i32 {
  let to = list;
  for (let n = 0; n < columns; n += 4) {
    const u = integrate(
      v128.load(membranes + bytes(n)),
      v128.load(current + bytes(n)),
      beta,
      threshold,
    );
    v128.store(membranes + bytes(n), u);
    const isNear = f32x4.lt(f32x4.abs(f32x4.sub(u, threshold)), reach);
    let lanes = i32x4.bitmask(isNear) & ((1 << min(4, columns - n)) - 1);
    while (lanes) {
      store<u16>(to, <u16>(n + ctz(lanes)));
      to += 2;
      lanes &= lanes - 1;
    }
  }
  return <i32>(to - list) >> 1;
}

/** The products of the listed neurons, one block of weights after another for all rows of the group. */
function multiplyListed(args: LinearBackwardSpikes, start: i32, height: i32, scratch: usize): void {
  const a = args.gradientAt,
    weight = args.weightAt,
    c = args.inputGradientAt;
  const rows = args.rows / args.steps,
    columns = args.columns,
    depth = args.depth,
    steps = args.steps;
  const lists = scratch + bytes((columns + 3) & ~3),
    list = listBytes(columns);
  for (let end = BLOCK; end < columns + BLOCK; end += BLOCK) {
    for (let t = 0; t < steps; t++) {
      for (let row = 0; row < height; row++) {
        const at = lists + list * (t * GROUP_ROWS + row),
          index = t * rows + start + row;
        multiplyRow(a + bytes(depth) * index, weight, c + bytes(columns) * index, depth, at, end);
      }
    }
  }
}

/** Goes on in a row's list up to neuron `end`, eight neurons at a time; the last are repeated to make eight. */
function multiplyRow(a: usize, weight: usize, c: usize, depth: i32, list: usize, end: i32): void {
  const count = load<i32>(list);
  let place = load<i32>(list, 4);
  while (place < count && neuronAt(list, place) < end) {
    const taken = min(WIDE, count - place);
    multiplyEight(a, weight, c, depth, list, place, taken);
    place += taken;
  }
  store<i32>(list, place, 4);
}

function neuronAt(list: usize, place: i32): i32 {
  return <i32>load<u16>(list + 8 + ((<usize>place) << 1));
}

/** Eight dot products of one row of a with the weights of listed neurons; the first `taken` are added to c. */
function multiplyEight(
  a: usize,
  weight: usize,
  c: usize,
  depth: i32,
  list: usize,
  place: i32,
  taken: i32,
): void {
  const stride = bytes(depth),
    last = place + taken - 1;
  const w0 = weight + stride * neuronAt(list, place);
  const w1 = weight + stride * neuronAt(list, min(last, place + 1));
  const w2 = weight + stride * neuronAt(list, min(last, place + 2));
  const w3 = weight + stride * neuronAt(list, min(last, place + 3));
  const w4 = weight + stride * neuronAt(list, min(last, place + 4));
  const w5 = weight + stride * neuronAt(list, min(last, place + 5));
  const w6 = weight + stride * neuronAt(list, min(last, place + 6));
  const w7 = weight + stride * neuronAt(list, last);
  let s0 = f32x4.splat(0),
    s1 = s0,
    s2 = s0,
    s3 = s0,
    s4 = s0,
    s5 = s0,
    s6 = s0,
    s7 = s0;
  let k: usize = 0;
  for (const end = bytes(depth & ~3); k < end; k += 16) {
    const x = v128.load(a + k);
    s0 = madd(x, v128.load(w0 + k), s0);
    s1 = madd(x, v128.load(w1 + k), s1);
    s2 = madd(x, v128.load(w2 + k), s2);
    s3 = madd(x, v128.load(w3 + k), s3);
    s4 = madd(x, v128.load(w4 + k), s4);
    s5 = madd(x, v128.load(w5 + k), s5);
    s6 = madd(x, v128.load(w6 + k), s6);
    s7 = madd(x, v128.load(w7 + k), s7);
  }
  let low = sumEach(s0, s1, s2, s3),
    high = sumEach(s4, s5, s6, s7);
  for (; k < stride; k += 4) {
    const x = v128.load_splat<f32>(a + k);
    low = madd(x, gather(w0 + k, w1 + k, w2 + k, w3 + k), low);
    high = madd(x, gather(w4 + k, w5 + k, w6 + k, w7 + k), high);
  }
  addLanes(c, list, place, low, taken);
  if (taken > 4) addLanes(c, list, place + 4, high, taken - 4);
}

/** The sum of the lanes of each of four vectors, as one. */
function sumEach(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = f32x4.add(v128.shuffle<f32>(a, b, 0, 4, 1, 5), v128.shuffle<f32>(a, b, 2, 6, 3, 7));
  const cd = f32x4.add(v128.shuffle<f32>(c, d, 0, 4, 1, 5), v128.shuffle<f32>(c, d, 2, 6, 3, 7));
  return f32x4.add(v128.shuffle<f32>(ab, cd, 0, 1, 4, 5), v128.shuffle<f32>(ab, cd, 2, 3, 6, 7));
}

function gather(a: usize, b: usize, c: usize, d: usize): v128 {
  let lanes = v128.load_zero<f32>(a);
  lanes = f32x4.replace_lane(lanes, 1, load<f32>(b));
  lanes = f32x4.replace_lane(lanes, 2, load<f32>(c));
  return f32x4.replace_lane(lanes, 3, load<f32>(d));
}

function addLanes(c: usize, list: usize, place: i32, sums: v128, count: i32): void {
  addOne(c, list, place, f32x4.extract_lane(sums, 0));
  if (count > 1) addOne(c, list, place + 1, f32x4.extract_lane(sums, 1));
  if (count > 2) addOne(c, list, place + 2, f32x4.extract_lane(sums, 2));
  if (count > 3) addOne(c, list, place + 3, f32x4.extract_lane(sums, 3));
}

function addOne(c: usize, list: usize, place: i32, value: f32): void {
  const at = c + bytes(neuronAt(list, place));
  store<f32>(at, load<f32>(at) + value);
}
