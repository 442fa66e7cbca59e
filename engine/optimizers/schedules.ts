import { EngineError } from '../errors.ts';
import { learningRateAt } from './learning-rate.ts';
import { expectPositive, expectShares } from '../ops/layer-shapes.ts';
import { expectWhole } from '../ops/shapes.ts';

/**
 * The factor of the learning rate at a step, from 0 to before `total`: a pure function, so that a run that is
 * resumed goes on where it was.
 */
export type Schedule = (step: number, total: number) => number;

/** The same learning rate in every step. */
export function constantRate(): Schedule {
  return () => 1;
}

interface CosineOptions {
  /** Fraction of the steps over which the rate rises in a straight line. */
  readonly warmup?: number;
  /** Fraction of the steps before which it does not fall. */
  readonly decayStart?: number;
  /** Factor that is left at the end. */
  readonly finalRate?: number;
}

/** A rise in a straight line, and then half a cosine down: the schedule of the families. */
export function cosineRate({
  warmup = 0,
  decayStart = 0,
  finalRate = 0,
}: CosineOptions = {}): Schedule {
  expectShares('cosineRate', { warmup, decayStart, finalRate });
  const controls = { warmup, decayStart, finalRate };
  return (step, total) => learningRateAt(1, controls, step / total, total);
}

interface OneCycleOptions {
  /** Fraction of the steps at which the rate is highest. */
  readonly peak?: number;
  /** Factor of the first step. */
  readonly start?: number;
  /** Factor of the last step. */
  readonly end?: number;
}

/** Half a cosine up to the peak and half a cosine down to nearly nothing (Smith & Topin 2018). */
export function oneCycleRate({
  peak = 0.3,
  start = 1 / 25,
  end = 1e-5,
}: OneCycleOptions = {}): Schedule {
  expectShares('oneCycleRate', { peak, start, end });
  return (step, total) => {
    const progress = total > 1 ? Math.min(1, step / (total - 1)) : 1;
    return progress < peak
      ? between(start, 1, progress / peak)
      : between(1, end, peak < 1 ? (progress - peak) / (1 - peak) : 0);
  };
}

/** From one number to another along half a cosine. */
function between(from: number, to: number, part: number): number {
  return to + ((from - to) * (1 + Math.cos(Math.PI * part))) / 2;
}

/** The rate is multiplied by `factor` every so many steps. */
export function stepRate({
  every,
  factor = 0.1,
}: {
  readonly every: number;
  readonly factor?: number;
}): Schedule {
  expectWhole('stepRate', 'every', every, 1);
  expectShares('stepRate', { factor });
  return (step) => factor ** Math.floor(step / every);
}

/** The rate is multiplied by `factor` in every step. */
export function exponentialRate({ factor }: { readonly factor: number }): Schedule {
  expectShares('exponentialRate', { factor });
  return (step) => factor ** step;
}

interface PlateauOptions {
  /** The rate is multiplied by it at a plateau. */
  readonly factor?: number;
  /** Observations without an improvement that are waited for. */
  readonly patience?: number;
  /** Fraction of the best by which an improvement has to be better. */
  readonly threshold?: number;
  /** Factor that the rate does not fall below. */
  readonly lowest?: number;
}

/** How far a plateau's rate has come: a plain value, to be saved with a run and given back. */
export interface PlateauState {
  readonly factor: number;
  readonly best: number | undefined;
  readonly waited: number;
}

/** A factor of the learning rate that falls when a loss has stopped falling. */
export interface PlateauRate {
  /** The factor of the learning rate until the next observation. */
  readonly factor: number;
  readonly state: PlateauState;
  /** Takes a loss to account, such as that of the validation after an epoch. */
  observe(loss: number): void;
}

/** A rate that falls when a loss has stopped falling. `state` resumes one that was saved. */
export function plateauRate(
  { factor = 0.1, patience = 10, threshold = 1e-4, lowest = 0 }: PlateauOptions = {},
  state: PlateauState = { factor: 1, best: undefined, waited: 0 },
): PlateauRate {
  expectShares('plateauRate', { factor, threshold, lowest });
  expectWhole('plateauRate', 'patience', patience, 0);
  expectPositive('plateauRate', { 'state.factor': state.factor });
  let now = state;
  return {
    get factor() {
      return now.factor;
    },
    get state() {
      return now;
    },
    observe(loss) {
      if (!Number.isFinite(loss)) {
        throw new EngineError('invalid-setting', `plateauRate: the loss is ${loss}`);
      }
      const isBetter = now.best === undefined || loss < now.best - threshold * Math.abs(now.best);
      if (isBetter) now = { ...now, best: loss, waited: 0 };
      else if (now.waited < patience) now = { ...now, waited: now.waited + 1 };
      else now = { ...now, factor: Math.max(lowest, now.factor * factor), waited: 0 };
    },
  };
}
