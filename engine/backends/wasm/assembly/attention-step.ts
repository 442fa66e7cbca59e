import { SpikeAttentionStep } from './generated/arguments';
import { bytes } from './bytes';
import { gatherBits } from './attention-bits';
import { storeUpTo } from './rows';
import { madd } from './simd';
import { isFresh, slotOf } from './slots';

/**
 * spike_attention_step: one token of each sequence, with what came before in a state.
 *
 *   state = decay[1] / decay[0] state + k v^T      o = decay[0] q state
 *
 * Items      steps x batch x heads
 * Scratch    three lists of features as masks
 */
export function spike_attention_step(
  args: SpikeAttentionStep,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const qkv = args.qkvAt,
    decay = args.decayAt,
    state = args.stateAt;
  const output = args.outputAt,
    heads = args.heads,
    headWidth = args.headWidth;
  const slots = args.slotsAt,
    batch = args.batch,
    count = args.slots;
  const rowBytes = bytes(args.words),
    width = heads * headWidth;
  const square = bytes(headWidth) * headWidth;
  const list = bytes((headWidth + 31) & ~31);
  const query = scratch,
    key = query + list,
    value = key + list,
    packed = value + list;
  for (let item = first; item < last; item++) {
    const row = item / heads,
      head = item % heads;
    const from = qkv + rowBytes * row,
      bit = head * headWidth;
    spreadBits(from, bit, headWidth, query, packed);
    spreadBits(from, bit + width, headWidth, key, packed);
    spreadBits(from, bit + 2 * width, headWidth, value, packed);
    const base = load<f32>(decay + bytes(2 * head));
    const slot = load<u32>(slots + bytes(row % batch));
    const kept = ((row / batch) * count + slotOf(slot)) * heads + head;
    const keep = isFresh(slot) ? <f32>0 : load<f32>(decay + bytes(2 * head), 4) / base;
    const to = output + bytes(width) * row + bytes(bit);
    advance(state + square * kept, headWidth, query, key, value, keep, base, to);
  }
}

/** `width` bits from `bit` on as masks: all bits of a lane, or none. */
function spreadBits(from: usize, bit: i32, width: i32, to: usize, packed: usize): void {
  gatherBits(from, 0, 1, bit, width, packed, 4);
  for (let i = 0; i < width; i++) {
    const word = load<u32>(packed + bytes(i >> 5));
    store<i32>(to + bytes(i), -(<i32>((word >> (i & 31)) & 1)));
  }
}

/** Four columns of the state at a time. */
function advance(
  state: usize,
  width: i32,
  query: usize,
  key: usize,
  value: usize,
  keep: f32,
  base: f32,
  to: usize,
): void {
  const keeps = f32x4.splat(keep),
    one = f32x4.splat(1),
    stride = bytes(width);
  for (let e = 0; e < width; e += 4) {
    const values = v128.and(v128.load(value + bytes(e)), one),
      left = width - e;
    let sum = f32x4.splat(0),
      at = state + bytes(e);
    for (let d = 0; d < width; d++, at += stride) {
      const joint = v128.and(values, v128.load_splat<u32>(key + bytes(d)));
      const cell = madd(keeps, v128.load(at), joint);
      storeUpTo(at, cell, left);
      sum = f32x4.add(sum, v128.and(cell, v128.load_splat<u32>(query + bytes(d))));
    }
    storeUpTo(to + bytes(e), f32x4.mul(sum, f32x4.splat(base)), left);
  }
}
