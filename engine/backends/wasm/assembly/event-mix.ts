import { ExpertMeans, HebbianUpdate } from './generated/arguments';
import { GROUP, MEANS_COLUMNS } from './generated/sizes';
import { bytes } from './bytes';
import { philox, word0, word1, word2, word3 } from './philox';
import { laneMask } from './plasticity';
import { loadUpTo, storeUpTo } from './rows';

/**
 * expert_means: means over the tokens of each expert of its input, of the recurrent spikes it received and of those it
 * fired; from rest at the beginning of each sequence.
 *
 * Items      groups of 128 columns
 * Scratch    for each expert its count, its last four words of spikes and three groups
 */
export function expert_means(args: ExpertMeans, first: i32, last: i32, scratch: usize): void {
  const rows = args.rows,
    active = args.active,
    all = args.experts,
    sequence = args.sequence;
  for (let group = first; group < last; group++) {
    memory.fill(scratch, 0, meansBytes() * all);
    for (let row = 0; row < rows; row++) {
      if (row % sequence == 0) forget(all, scratch);
      for (let event = row; event < active * rows; event += rows) {
        addToken(args, group, event, row, scratch);
      }
    }
    for (let expert = 0; expert < all; expert++) writeMeans(args, group, expert, scratch);
  }
}

const WIDE_BYTES: usize = 512;

/** Bytes of the sums of one expert: count, last spikes from byte 16 on, and three groups from byte 32 on. */
function meansBytes(): usize {
  return 32 + 3 * WIDE_BYTES;
}

function forget(all: i32, scratch: usize): void {
  for (let expert = 0; expert < all; expert++) {
    memory.fill(scratch + meansBytes() * expert + 16, 0, 16);
  }
}

function addToken(args: ExpertMeans, group: i32, event: i32, row: i32, scratch: usize): void {
  const width = args.width,
    start = group * MEANS_COLUMNS;
  const expert = load<i32>(args.expertsAt + bytes(event));
  if (expert >= args.experts) return;
  const own = scratch + meansBytes() * expert,
    input = args.inputAt + bytes(width) * row + bytes(start);
  const spikes = args.spikesAt + bytes(event * ((width + 31) >> 5) + (start >> 5));
  store<f32>(own, load<f32>(own) + 1);
  const one = f32x4.splat(1);
  let fired: u32 = 0,
    heard: u32 = 0;
  for (let n = 0; n < min(MEANS_COLUMNS, width - start); n += 4) {
    const word = bytes(n >> 5);
    if ((n & 31) == 0) {
      fired = load<u32>(spikes + word);
      heard = load<u32>(own + 16 + word);
      store<u32>(own + 16 + word, fired);
    }
    const sums = own + 32 + bytes(n);
    v128.store(sums, f32x4.add(v128.load(sums), loadUpTo(input + bytes(n), width - start - n)));
    const before = v128.load(sums, WIDE_BYTES),
      after = v128.load(sums, 2 * WIDE_BYTES);
    v128.store(sums, f32x4.add(before, v128.and(one, laneMask(heard))), WIDE_BYTES);
    v128.store(sums, f32x4.add(after, v128.and(one, laneMask(fired))), 2 * WIDE_BYTES);
    fired >>= 4;
    heard >>= 4;
  }
}

function writeMeans(args: ExpertMeans, group: i32, expert: i32, scratch: usize): void {
  const width = args.width,
    start = group * MEANS_COLUMNS,
    own = scratch + meansBytes() * expert;
  const share = f32x4.splat(<f32>1 / max<f32>(1, load<f32>(own)));
  for (let part = 0; part < 3; part++) {
    const to = args.meansAt + bytes((expert * 3 + part) * width + start);
    for (let n = 0; n < min(MEANS_COLUMNS, width - start); n += 4) {
      const sum = v128.load(own + 32 + WIDE_BYTES * part + bytes(n));
      storeUpTo(to + bytes(n), f32x4.mul(sum, share), width - start - n);
    }
  }
}

/**
 * hebbian_update: moves each weight by rate pre post, rounded at random to one of its two neighbours, within
 * +-127; a negative scale says that the optimiser left its step out, and so do the synapses.
 *
 * Items      blocks of 16 neurons of all experts
 */
export function hebbian_update(args: HebbianUpdate, first: i32, last: i32): void {
  if (load<f32>(args.scaleAt) < 0) return;
  const width = args.width,
    fanIn = args.fanIn,
    rate = args.rate;
  const blocks = (width + GROUP - 1) / GROUP;
  for (let item = first; item < last; item++) {
    const start = (item % blocks) * GROUP,
      means = args.meansAt + bytes((item / blocks) * 3 * width);
    const pre = means + bytes(args.source * width),
      post = means + bytes(2 * width + start);
    const links = args.topologyAt + bytes(2 * item);
    let source = load<i32>(links),
      place = item * fanIn * GROUP;
    for (let p = 0; p < fanIn; p++) {
      for (let n = 0; n < min(GROUP, width - start); n++) {
        const lane = n & 3;
        if (lane == 0) philox((place + n) >> 2, args.stream, args.clockAt);
        const drawn = lane == 0 ? word0 : lane == 1 ? word1 : lane == 2 ? word2 : word3;
        const heard = load<f32>(pre + bytes((source + n) % width));
        moveWeight(
          args.weightAt + <usize>(place + n),
          rate * heard * load<f32>(post + bytes(n)),
          drawn,
        );
      }
      place += GROUP;
      source = (source + load<i32>(links, 4)) % width;
    }
  }
}

/** Adds to a weight what it should move by, in whole steps: one more where the draw is below the fraction. */
function moveWeight(at: usize, move: f32, drawn: u32): void {
  // No move is longer than 254, and 254 2^24 is below 2^32.
  const steps = <i32>((<u32>(min<f32>(abs<f32>(move), 254) * 16777216) + (drawn >> 8)) >> 24);
  const next = <i32>load<i8>(at) + (move < 0 ? -steps : steps);
  store<i8>(at, <i8>max(-127, min(127, next)));
}
