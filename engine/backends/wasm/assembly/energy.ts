import { EnergyGate } from './generated/arguments';
import { bytes } from './bytes';
import { storeUpTo } from './rows';

const WORD: i32 = 32;

/** All bits of the lanes whose neurons, from bit `n` of a word on, have fired. */
function lanesOf(word: u32, n: i32): v128 {
  const bits = v128.and(i32x4.splat(word >> n), i32x4(1, 2, 4, 8));
  return i32x4.ne(bits, i32x4.splat(0));
}

/**
 * energy_gate: masks the spikes of neurons that have run out of energy; time runs over the steps of a
 * token and then over the tokens of its sequence.
 *
 *   open = energy >= threshold      gated = s and open
 *   energy = clamp(energy - gated consumption importance + rate supply, 0, capacity)
 *
 * Items      words of spikes of one batch entry, entries x ceil(width / 32)
 */
export function energy_gate(args: EnergyGate, first: i32, last: i32): void {
  const steps = args.steps,
    rows = args.rows,
    width = args.width,
    sequence = args.sequence;
  const words = (width + WORD - 1) / WORD;
  for (let item = first; item < last; item++) {
    const entry = item / words,
      start = (item % words) * WORD,
      end = min(width, start + WORD);
    for (let k = 0; k < steps * sequence; k++) {
      const line = (k % steps) * rows + entry * sequence + k / steps;
      const at = bytes(line * words + (item % words));
      store<u32>(args.gatedAt + at, 0);
      store<u32>(args.openAt + at, 0);
    }
    for (let column = start; column < end; column += 4) {
      gateQuad(args, entry, column, item % words, words);
    }
  }
}

/** Four neurons of a batch entry through all of their steps. */
function gateQuad(args: EnergyGate, entry: i32, column: i32, word: i32, words: i32): void {
  const steps = args.steps,
    rows = args.rows,
    width = args.width,
    sequence = args.sequence;
  const capacity = f32x4.splat(args.capacity),
    threshold = f32x4.splat(args.threshold),
    gain = f32x4.splat(args.rate * load<f32>(args.supplyAt));
  const cost = f32x4.mul(
    f32x4.splat(args.consumption),
    v128.load(args.importanceAt + bytes(column)),
  );
  const energy = args.energyAt + bytes(entry) * width + bytes(column),
    n = column & 31,
    inside = width - column >= 4 ? 15 : (1 << (width - column)) - 1;
  let left = args.carried ? v128.load(energy) : capacity;
  for (let k = 0; k < steps * sequence; k++) {
    const line = (k % steps) * rows + entry * sequence + k / steps;
    const at = bytes(line * words + word);
    const fired = load<u32>(args.spikesAt + at),
      isOpen = f32x4.ge(left, threshold);
    const pays = v128.and(isOpen, lanesOf(fired, n));
    left = f32x4.add(f32x4.sub(left, v128.and(pays, cost)), gain);
    left = f32x4.min(f32x4.max(left, f32x4.splat(0)), capacity);
    join(args.gatedAt + at, i32x4.bitmask(pays) & inside, n);
    join(args.openAt + at, i32x4.bitmask(isOpen) & inside, n);
  }
  storeUpTo(energy, left, width - column);
}

function join(at: usize, bits: i32, n: i32): void {
  store<i32>(at, load<i32>(at) | (bits << n));
}
