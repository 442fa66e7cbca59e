import { EngineError } from '../errors.ts';
import { argmax } from '../numbers.ts';

/** Predictions of a model for some rows, and their losses. */
export interface RowScores {
  /** Negative log-likelihoods of the targets, in nats. */
  readonly losses: Float64Array;
  /** Probabilities of the likeliest answers. */
  readonly confidences: Float64Array;
  /** The likeliest answers; the first of those that are as likely as any. */
  readonly answers: Uint32Array;
}

/**
 * Softmax of each row of `scores [rows, classes]` in float64. Throws EngineError `diverged` for a score
 * that is no number.
 */
export function scoreRows(
  scores: Float32Array,
  targets: ArrayLike<number>,
  classes: number,
): RowScores {
  const rows = targets.length;
  const [losses, confidences] = [new Float64Array(rows), new Float64Array(rows)];
  const answers = new Uint32Array(rows);
  for (let row = 0; row < rows; row++) {
    const first = row * classes;
    const answer = argmax(scores.subarray(first, first + classes));
    const largest = scores[first + answer] ?? Number.NaN;
    let sum = 0;
    for (let i = first; i < first + classes; i++) sum += Math.exp((scores[i] ?? 0) - largest);
    if (!(sum >= 1 && sum <= classes)) throw notFinite(largest, row);
    const own = scores[first + (targets[row] ?? 0)] ?? Number.NaN;
    losses[row] = Math.max(0, Math.log(sum) + largest - own);
    confidences[row] = 1 / sum;
    answers[row] = answer;
  }
  return { losses, confidences, answers };
}

function notFinite(score: number, row: number): EngineError {
  return new EngineError(
    'diverged',
    `the scores of row ${row} have ${score} as their largest and no softmax: expected finite numbers`,
  );
}
