import { address, bytes, real, whole } from './arguments';

/**
 * latency_encode: at most one spike for each number, in the step between whose bounds it lies.
 *
 *   s[t, n] = 1 if bounds[t + 1] < x[n] <= bounds[t]
 *
 * Items      rows of one step
 */
export function latency_encode(args: usize, first: i32, last: i32, scratch: usize): void {
  const bounds = address(args, 1),
    spikes = address(args, 2);
  const steps = whole(args, 3),
    rows = whole(args, 4),
    width = whole(args, 5);
  const words = (width + 31) >> 5;
  for (let row = first; row < last; row++) {
    const from = address(args, 0) + bytes(width) * row;
    for (let t = 0; t < steps; t++) {
      const high = v128.load_splat<f32>(bounds + bytes(t)),
        low = v128.load_splat<f32>(bounds + bytes(t + 1));
      const to = spikes + bytes(words) * (t * rows + row);
      for (let word = 0; word < words; word++) {
        store<u32>(
          to + bytes(word),
          between(from + bytes(word << 5), low, high, width - (word << 5)),
        );
      }
    }
  }
}

/** A bit for each of up to 32 numbers above `low` and not above `high`. */
function between(from: usize, low: v128, high: v128, left: i32): u32 {
  let packed: u32 = 0;
  const count = min(32, left);
  for (let n = 0; n < count; n += 4) {
    const x = v128.load(from + bytes(n));
    const isHere = i32x4.bitmask(v128.and(f32x4.gt(x, low), f32x4.le(x, high)));
    packed |= isHere << n;
  }
  return count < 32 ? packed & (((<u32>1) << count) - 1) : packed;
}

/**
 * latency_decode: the number that stands for the step of each neuron's first spike, or zero.
 *
 * Items      rows of one step
 */
export function latency_decode(args: usize, first: i32, last: i32, scratch: usize): void {
  const values = address(args, 1);
  const steps = whole(args, 3),
    rows = whole(args, 4),
    width = whole(args, 5);
  for (let row = first; row < last; row++) {
    const to = address(args, 2) + bytes(width) * row;
    memory.fill(to, 0, bytes(width));
    // Backwards: the first spike is the last to be written.
    for (let t = steps - 1; t >= 0; t--) {
      const from = rowOf(args, t * rows + row, width);
      for (let n = 0; n < width; n++) {
        if (fires(from, n)) store<f32>(to + bytes(n), load<f32>(values + bytes(t)));
      }
    }
  }
}

/** A row of spikes `width` wide, of the tensor that is the first argument. */
function rowOf(args: usize, row: i32, width: i32): usize {
  return address(args, 0) + bytes((width + 31) >> 5) * row;
}

function fires(row: usize, neuron: i32): bool {
  return ((load<u32>(row + bytes(neuron >> 5)) >> (neuron & 31)) & 1) == 1;
}

function setBit(row: usize, neuron: i32): void {
  const word = row + bytes(neuron >> 5);
  store<u32>(word, load<u32>(word) | ((<u32>1) << (neuron & 31)));
}

/**
 * delta_encode: spikes where a signal rises and, in the second half of a row, where it falls.
 *
 * Items      rows of one step
 * Scratch    a row
 */
export function delta_encode(args: usize, first: i32, last: i32, scratch: usize): void {
  const signal = address(args, 0),
    spikes = address(args, 1);
  const steps = whole(args, 2),
    rows = whole(args, 3),
    width = whole(args, 4);
  const threshold = real(args, 5),
    isLevel = whole(args, 6) != 0,
    words = (2 * width + 31) >> 5;
  for (let row = first; row < last; row++) {
    memory.fill(scratch, 0, bytes(width));
    for (let t = 0; t < steps; t++) {
      const from = signal + bytes(width) * (t * rows + row),
        to = spikes + bytes(words) * (t * rows + row);
      memory.fill(to, 0, bytes(words));
      for (let n = 0; n < width; n++) {
        const known = load<f32>(scratch + bytes(n)),
          x = load<f32>(from + bytes(n));
        const change = x - known;
        let sent: f32 = 0;
        if (change >= threshold) {
          setBit(to, n);
          sent = threshold;
        } else if (change <= -threshold) {
          setBit(to, width + n);
          sent = -threshold;
        }
        store<f32>(scratch + bytes(n), isLevel ? known + sent : x);
      }
    }
  }
}

/**
 * delta_decode: threshold times the ON spikes less the OFF spikes so far.
 *
 * Items      rows of one step
 * Scratch    a row
 */
export function delta_decode(args: usize, first: i32, last: i32, scratch: usize): void {
  const output = address(args, 1),
    steps = whole(args, 2),
    rows = whole(args, 3),
    width = whole(args, 4);
  const threshold = real(args, 5);
  for (let row = first; row < last; row++) {
    memory.fill(scratch, 0, bytes(width));
    for (let t = 0; t < steps; t++) {
      const from = rowOf(args, t * rows + row, 2 * width),
        to = output + bytes(width) * (t * rows + row);
      for (let n = 0; n < width; n++) {
        const sign = <i32>fires(from, n) - <i32>fires(from, width + n),
          level = load<i32>(scratch + bytes(n)) + sign;
        store<i32>(scratch + bytes(n), level);
        store<f32>(to + bytes(n), threshold * <f32>level);
      }
    }
  }
}

/**
 * tas_encode: spikes of an integrate-and-fire time-encoding machine whose threshold adapts.
 *
 *   v += x;  if v >= h: spike, v -= h, h += alpha  else h = 1 + rho (h - 1)
 *
 * Items      rows of one step
 * Arguments  those of its row, then words between the steps of the signal
 * Scratch    two rows: v, and what h is above 1
 */
export function tas_encode(args: usize, first: i32, last: i32, scratch: usize): void {
  const spikes = address(args, 1),
    steps = whole(args, 2),
    rows = whole(args, 3),
    width = whole(args, 4),
    stride = bytes(whole(args, 8));
  const alpha = real(args, 6),
    rho = real(args, 7),
    words = (width + 31) >> 5;
  const excesses = scratch + bytes(width);
  for (let row = first; row < last; row++) {
    memory.fill(scratch, 0, 2 * bytes(width));
    for (let t = 0; t < steps; t++) {
      const from = address(args, 0) + stride * t + bytes(width) * row,
        to = spikes + bytes(words) * (t * rows + row);
      memory.fill(to, 0, bytes(words));
      for (let n = 0; n < width; n++) {
        const excess = load<f32>(excesses + bytes(n)),
          v = load<f32>(scratch + bytes(n)) + load<f32>(from + bytes(n));
        const isOver = v >= <f32>1 + excess;
        if (isOver) setBit(to, n);
        store<f32>(scratch + bytes(n), isOver ? v - (<f32>1 + excess) : v);
        store<f32>(excesses + bytes(n), isOver ? excess + alpha : rho * excess);
      }
    }
  }
}

/**
 * tas_decode: the sum of the thresholds at the spikes, over the number of steps.
 *
 * Items      rows of one step
 * Scratch    a row: what h is above 1
 */
export function tas_decode(args: usize, first: i32, last: i32, scratch: usize): void {
  const steps = whole(args, 2),
    rows = whole(args, 3),
    width = whole(args, 4);
  const alpha = real(args, 5),
    rho = real(args, 6);
  for (let row = first; row < last; row++) {
    const to = address(args, 1) + bytes(width) * row;
    memory.fill(to, 0, bytes(width));
    memory.fill(scratch, 0, bytes(width));
    for (let t = 0; t < steps; t++) {
      const from = rowOf(args, t * rows + row, width);
      for (let n = 0; n < width; n++) {
        const at = bytes(n),
          excess = load<f32>(scratch + at),
          isSpike = fires(from, n);
        if (isSpike) store<f32>(to + at, load<f32>(to + at) + <f32>1 + excess);
        store<f32>(scratch + at, isSpike ? excess + alpha : rho * excess);
      }
    }
    divideRow(to, width, steps);
  }
}

/**
 * rate_decode: the share of the steps in which each neuron fired.
 *
 * Items      rows of one step
 */
export function rate_decode(args: usize, first: i32, last: i32, scratch: usize): void {
  const steps = whole(args, 2),
    rows = whole(args, 3),
    width = whole(args, 4);
  for (let row = first; row < last; row++) {
    const to = address(args, 1) + bytes(width) * row;
    memory.fill(to, 0, bytes(width));
    for (let t = 0; t < steps; t++) {
      const from = rowOf(args, t * rows + row, width);
      for (let n = 0; n < width; n++) {
        if (fires(from, n)) store<f32>(to + bytes(n), load<f32>(to + bytes(n)) + 1);
      }
    }
    divideRow(to, width, steps);
  }
}

function divideRow(row: usize, width: i32, by: i32): void {
  for (let n = 0; n < width; n++) {
    store<f32>(row + bytes(n), load<f32>(row + bytes(n)) / <f32>by);
  }
}
