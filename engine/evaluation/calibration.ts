import { EngineError } from '../errors.ts';

interface CalibrationBin {
  readonly count: number;
  /** Mean confidence and share of right answers; null for an empty bin. */
  readonly confidence: number | null;
  readonly accuracy: number | null;
}

export interface CalibrationFigures {
  readonly count: number;
  /** Expected calibration error: mean over examples of |accuracy - confidence| of their bin. */
  readonly expectedError: number;
  /** The greatest |accuracy - confidence| of a bin. */
  readonly maximumError: number;
  /** Mean of `(confidence - right)^2`, with right 0 or 1: the Brier score of being right. */
  readonly brierScore: number;
  readonly bins: readonly CalibrationBin[];
}

interface CalibrationMeter {
  /** An answer, the probability the model gave it, and whether it was right. */
  add(confidence: number, isRight: boolean): void;
  /** Of all that has been added; null before anything was. */
  figures(): CalibrationFigures | null;
}

/** How far confidence is from accuracy, in bins of equal width, each with its upper end (Guo et al. 2017). */
export function createCalibrationMeter(bins = 15): CalibrationMeter {
  if (!(Number.isSafeInteger(bins) && bins > 0)) {
    throw new EngineError('invalid-setting', `${bins} bins: expected a whole number of at least 1`);
  }
  const tallies = Array.from({ length: bins }, () => ({ count: 0, confidence: 0, right: 0 }));
  let squares = 0;
  return {
    add(confidence, isRight) {
      const tally = tallies[Math.max(0, Math.ceil(confidence * bins) - 1)];
      if (!tally || !(confidence >= 0)) {
        throw new EngineError(
          'invalid-setting',
          `a confidence of ${confidence}: expected a number from 0 to 1`,
        );
      }
      const right = isRight ? 1 : 0;
      tally.count += 1;
      tally.confidence += confidence;
      tally.right += right;
      squares += (confidence - right) ** 2;
    },
    figures() {
      const count = tallies.reduce((sum, tally) => sum + tally.count, 0);
      if (count === 0) return null;
      const gaps = tallies.map(({ confidence, right }) => Math.abs(right - confidence));
      return {
        count,
        expectedError: gaps.reduce((sum, gap) => sum + gap, 0) / count,
        maximumError: Math.max(...gaps.map((gap, i) => gap / Math.max(tallies[i]?.count ?? 0, 1))),
        brierScore: squares / count,
        bins: tallies.map((tally) => ({
          count: tally.count,
          confidence: tally.count === 0 ? null : tally.confidence / tally.count,
          accuracy: tally.count === 0 ? null : tally.right / tally.count,
        })),
      };
    },
  };
}
