import { DecayScores } from './generated/arguments';
import { bytes } from './bytes';

/**
 * decay_scores: what lies far back counts less, the future nothing.
 *
 * Items      rows of scores
 */
export function decay_scores(args: DecayScores, first: i32, last: i32): void {
  const sequence = args.sequence,
    heads = args.heads;
  for (let row = first; row < last; row++) {
    const decay = args.decayAt + bytes(((row / sequence) % heads) * sequence),
      scores = args.scoresAt + bytes(sequence) * row,
      i = row % sequence;
    for (let j = 0; j <= i; j++) {
      const at = scores + bytes(j);
      store<f32>(at, load<f32>(at) * load<f32>(decay + bytes(i - j)));
    }
    memory.fill(scores + bytes(i + 1), 0, bytes(sequence - 1 - i));
  }
}
