import { address, bytes, whole } from './arguments';
import { storeUpTo } from './rows';

/**
 * copy_rows: rows of sequences to rows of other sequences, over all time steps.
 *
 * Items      sequences of all steps
 * Arguments  source, target, sequences of the source, words copied of each, words of a source sequence,
 *            words in front there, the same two of the target, whether the target is added to
 */
export function copy_rows(args: usize, first: i32, last: i32, scratch: usize): void {
  const kept = whole(args, 2),
    count = whole(args, 3),
    accumulate = whole(args, 8) != 0;
  for (let sequence = first; sequence < last; sequence++) {
    const from =
      address(args, 0) + bytes(whole(args, 4)) * (sequence % kept) + bytes(whole(args, 5));
    const to = address(args, 1) + bytes(whole(args, 6)) * sequence + bytes(whole(args, 7));
    if (accumulate) addWords(from, to, count);
    else memory.copy(to, from, bytes(count));
  }
}

function addWords(from: usize, to: usize, count: i32): void {
  for (let i = 0; i < count; i += 4) {
    const at = bytes(i);
    storeUpTo(to + at, f32x4.add(v128.load(to + at), v128.load(from + at)), count - i);
  }
}
