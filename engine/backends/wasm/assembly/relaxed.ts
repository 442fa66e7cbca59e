import { address, bytes, whole } from './arguments';

/**
 * decay_scores: what lies far back counts less, the future nothing.
 *
 * Items      rows of scores
 */
export function decay_scores(args: usize, first: i32, last: i32, scratch: usize): void {
  const sequence = whole(args, 3),
    heads = whole(args, 4);
  for (let row = first; row < last; row++) {
    const decay = address(args, 0) + bytes(((row / sequence) % heads) * sequence),
      scores = address(args, 1) + bytes(sequence) * row,
      i = row % sequence;
    for (let j = 0; j <= i; j++) {
      const at = scores + bytes(j);
      store<f32>(at, load<f32>(at) * load<f32>(decay + bytes(i - j)));
    }
    memory.fill(scores + bytes(i + 1), 0, bytes(sequence - 1 - i));
  }
}
