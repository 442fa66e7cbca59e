import { address, bytes, real, whole } from './arguments';
import { integrate } from './neurons';
import { madd, sumLanes } from './simd';

/** Rows of one time step that an item takes through all steps, so that weights are used several times. */
const GROUP_ROWS: i32 = 4;
/** Words of weights that are worked on at a time: they stay in the first cache. */
const BLOCK_WORDS: i32 = 6144;

/**
 * masked_product: the gradient of spikes, c[rows, columns] (+)= a weight^T, computed only for neurons
 * whose surrogate has a slope at their membrane; the others are zero, as their slope would make them.
 *
 * Items      groups of 4 rows, all time steps of each
 * Arguments  a [rows, depth], weight [columns, depth], c, rows of one step, columns, depth, whether c is
 *            added to, current, steps, words between the steps of the current, beta, threshold,
 *            distance from the threshold at which the slope ends
 * Scratch    membranes, then for each row of the group a count, a place, and a list of neurons as u16
 */
export function masked_product(args: usize, first: i32, last: i32, scratch: usize): void {
  const rows = whole(args, 3),
    columns = whole(args, 4),
    steps = whole(args, 8);
  const output = address(args, 2),
    accumulate = whole(args, 6) != 0;
  for (let group = first; group < last; group++) {
    const start = group * GROUP_ROWS,
      height = min(GROUP_ROWS, rows - start);
    listNeurons(args, start, height, scratch);
    if (!accumulate) {
      for (let t = 0; t < steps; t++) {
        memory.fill(output + bytes(columns) * (t * rows + start), 0, bytes(columns) * height);
      }
    }
    multiplyListed(args, start, height, scratch);
  }
}

/** Bytes of a row's list: its count, its place and its neurons. */
function listBytes(columns: i32): usize {
  return 8 + ((((<usize>columns) << 1) + 7) & ~7);
}

/** Takes the rows of a group through all steps and lists for each the neurons that have a slope. */
function listNeurons(args: usize, start: i32, height: i32, scratch: usize): void {
  const columns = whole(args, 4),
    steps = whole(args, 8),
    stride = bytes(whole(args, 9));
  const beta = f32x4.splat(real(args, 10)),
    threshold = f32x4.splat(real(args, 11));
  const reach = f32x4.splat(real(args, 12));
  const padded = (columns + 3) & ~3,
    list = listBytes(columns);
  for (let row = 0; row < height; row++) {
    const current = address(args, 7) + bytes(columns) * (start + row);
    memory.fill(scratch, 0, bytes(padded));
    for (let t = 0; t < steps; t++) {
      const at = scratch + bytes(padded) + list * (t * GROUP_ROWS + row);
      store<i32>(
        at,
        listStep(current + stride * t, scratch, columns, at + 8, beta, threshold, reach),
      );
      store<i32>(at, 0, 4);
    }
  }
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
function multiplyListed(args: usize, start: i32, height: i32, scratch: usize): void {
  const a = address(args, 0),
    weight = address(args, 1),
    c = address(args, 2);
  const rows = whole(args, 3),
    columns = whole(args, 4),
    depth = whole(args, 5),
    steps = whole(args, 8);
  const lists = scratch + bytes((columns + 3) & ~3),
    list = listBytes(columns);
  const block = max(8, BLOCK_WORDS / depth);
  for (let end = block; end < columns + block; end += block) {
    for (let t = 0; t < steps; t++) {
      for (let row = 0; row < height; row++) {
        const at = lists + list * (t * GROUP_ROWS + row),
          index = t * rows + start + row;
        multiplyRow(a + bytes(depth) * index, weight, c + bytes(columns) * index, depth, at, end);
      }
    }
  }
}

/** Goes on in a row's list up to neuron `end`, four neurons at a time; the last are repeated to make four. */
function multiplyRow(a: usize, weight: usize, c: usize, depth: i32, list: usize, end: i32): void {
  const count = load<i32>(list),
    neurons = list + 8;
  let place = load<i32>(list, 4);
  while (place < count && <i32>load<u16>(neurons + ((<usize>place) << 1)) < end) {
    const most = min(4, count - place);
    let taken = 1;
    while (taken < most && <i32>load<u16>(neurons + ((<usize>(place + taken)) << 1)) < end) taken++;
    const n0 = neuronAt(neurons, place),
      n1 = neuronAt(neurons, place + min(1, taken - 1));
    const n2 = neuronAt(neurons, place + min(2, taken - 1)),
      n3 = neuronAt(neurons, place + taken - 1);
    multiplyFour(a, weight, c, depth, n0, n1, n2, n3, taken);
    place += taken;
  }
  store<i32>(list, place, 4);
}

function neuronAt(neurons: usize, place: i32): i32 {
  return <i32>load<u16>(neurons + ((<usize>place) << 1));
}

/** Four dot products of one row of a; the first `taken` are added to c. */
function multiplyFour(
  a: usize,
  weight: usize,
  c: usize,
  depth: i32,
  n0: i32,
  n1: i32,
  n2: i32,
  n3: i32,
  taken: i32,
): void {
  const w0 = weight + bytes(depth) * n0,
    w1 = weight + bytes(depth) * n1;
  const w2 = weight + bytes(depth) * n2,
    w3 = weight + bytes(depth) * n3;
  let s0 = f32x4.splat(0),
    s1 = s0,
    s2 = s0,
    s3 = s0,
    r0 = s0,
    r1 = s0,
    r2 = s0,
    r3 = s0;
  let k: usize = 0;
  for (const end = bytes(depth & ~7); k < end; k += 32) {
    const x = v128.load(a + k),
      y = v128.load(a + k, 16);
    s0 = madd(x, v128.load(w0 + k), s0);
    s1 = madd(x, v128.load(w1 + k), s1);
    s2 = madd(x, v128.load(w2 + k), s2);
    s3 = madd(x, v128.load(w3 + k), s3);
    r0 = madd(y, v128.load(w0 + k, 16), r0);
    r1 = madd(y, v128.load(w1 + k, 16), r1);
    r2 = madd(y, v128.load(w2 + k, 16), r2);
    r3 = madd(y, v128.load(w3 + k, 16), r3);
  }
  let d0 = sumLanes(f32x4.add(s0, r0)),
    d1 = sumLanes(f32x4.add(s1, r1));
  let d2 = sumLanes(f32x4.add(s2, r2)),
    d3 = sumLanes(f32x4.add(s3, r3));
  for (const end = bytes(depth); k < end; k += 4) {
    const x = load<f32>(a + k);
    d0 += x * load<f32>(w0 + k);
    d1 += x * load<f32>(w1 + k);
    d2 += x * load<f32>(w2 + k);
    d3 += x * load<f32>(w3 + k);
  }
  addOne(c + bytes(n0), d0);
  if (taken > 1) addOne(c + bytes(n1), d1);
  if (taken > 2) addOne(c + bytes(n2), d2);
  if (taken > 3) addOne(c + bytes(n3), d3);
}

function addOne(at: usize, value: f32): void {
  store<f32>(at, load<f32>(at) + value);
}
