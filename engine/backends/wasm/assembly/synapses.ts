import { DeliverSpikes } from './generated/arguments';
import { bytes } from './bytes';

/**
 * deliver_spikes: adds the weights of all synapses of the neurons that fired to what arrives later.
 *
 * Items      parts of the targets, `parts` of them; the targets of a row ascend, so each finds its own
 */
export function deliver_spikes(args: DeliverSpikes, first: i32, last: i32): void {
  const now = load<u32>(args.clockAt) % <u32>args.slots,
    spikes = args.spikesAt,
    rowStart = args.rowStartAt,
    target = args.targetAt;
  const delay = args.delayAt,
    words = (args.sources + 31) >> 5,
    targets = args.targets,
    parts = args.parts;
  for (let part = first; part < last; part++) {
    const low = <u32>((<u64>targets * part) / parts),
      high = <u32>((<u64>targets * (part + 1)) / parts);
    for (let w = 0; w < words; w++) {
      let fired = load<u32>(spikes + bytes(w));
      while (fired != 0) {
        const row = rowStart + bytes((w << 5) + ctz(fired));
        fired &= fired - 1;
        let from = load<u32>(row),
          to = load<u32>(row, 4);
        if (part > 0) from = reach(target, from, to, low);
        if (part < parts - 1) to = reach(target, from, to, high);
        if (delay == 0) addTogether(args, now, from, to);
        else addApart(args, now, from, to);
      }
    }
  }
}

/** The first of the ascending targets from `from` to before `to` that is at least `least`. */
function reach(target: usize, from: u32, to: u32, least: u32): u32 {
  while (from < to) {
    const middle = (from + to) >> 1;
    if (load<u32>(target + bytes(middle)) < least) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Synapses that all take as many steps. */
function addTogether(args: DeliverSpikes, now: u32, from: u32, to: u32): void {
  const target = args.targetAt,
    weight = args.weightAt,
    slots = <u32>args.slots,
    scale = f32x4.splat(args.scale);
  const slot = (now + <u32>args.steps) % slots;
  const line = args.ringAt + bytes(args.targets) * slot;
  let i = from;
  for (; i + 4 <= to; i += 4) {
    const scaled = f32x4.mul(v128.load(weight + bytes(i)), scale),
      fixed = i32x4.trunc_sat_f32x4_s(f32x4.nearest(scaled)),
      at = i32x4.shl(v128.load(target + bytes(i)), 2);
    add(line + <u32>i32x4.extract_lane(at, 0), i32x4.extract_lane(fixed, 0));
    add(line + <u32>i32x4.extract_lane(at, 1), i32x4.extract_lane(fixed, 1));
    add(line + <u32>i32x4.extract_lane(at, 2), i32x4.extract_lane(fixed, 2));
    add(line + <u32>i32x4.extract_lane(at, 3), i32x4.extract_lane(fixed, 3));
  }
  for (; i < to; i++) {
    const fixed = rounded(load<f32>(weight + bytes(i)), args.scale);
    add(line + bytes(load<u32>(target + bytes(i))), fixed);
  }
}

/** Synapses with delays of their own. */
function addApart(args: DeliverSpikes, now: u32, from: u32, to: u32): void {
  const target = args.targetAt,
    weight = args.weightAt,
    ring = args.ringAt,
    delay = args.delayAt,
    slots = <u32>args.slots,
    scale = args.scale,
    line = bytes(args.targets);
  for (let i = from; i < to; i++) {
    const at = bytes(i);
    // A delay is at most `slots`, so one turn of the ring is enough.
    let slot = now + load<u32>(delay + at);
    if (slot >= slots) slot -= slots;
    if (slot >= slots) slot -= slots;
    add(ring + line * slot + bytes(load<u32>(target + at)), rounded(load<f32>(weight + at), scale));
  }
}

function rounded(weight: f32, scale: f32): i32 {
  return <i32>nearest<f32>(weight * scale);
}

function add(at: usize, value: i32): void {
  store<i32>(at, load<i32>(at) + value);
}
