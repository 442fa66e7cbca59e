import type { RunData } from '../checkpoint/run-data.ts';
import { EngineError } from '../errors.ts';
import type { Backend } from '../graph/backend.ts';
import type { TrainingControls } from '../settings/controls.ts';
import type { KnownSettings } from './choices.ts';
import type { ModelFamily } from './load-family.ts';

/** A learning rate range test (Smith, 2017): the loss while the rate of a run that is thrown away rises. */
export interface RateTest {
  /** Of each step, rising; those behind the step at which the loss left its bounds were not tried. */
  readonly rates: readonly number[];
  /** Of each step, in nats. */
  readonly losses: readonly number[];
  /** Means of each loss with those around it, so that a dip stays at its rate. */
  readonly smoothed: readonly number[];
  readonly chosen: number;
  /** The rule that chose it, with its numbers. */
  readonly reason: string;
}

interface Place {
  readonly family: ModelFamily;
  readonly backend: Backend;
  readonly data: RunData;
  readonly controls: TrainingControls;
}

const STEPS = 100;
const LOWEST = 1e-5;
const HIGHEST = 1;
/** Losses on either side that a mean is of. */
const REACH = 5;
/** Beyond so many times the lowest mean, higher rates only do worse. */
const WORSE = 1.5;

/**
 * Tries rates from 1e-5 to 1, each 12 % above the one before, in 100 steps of a run that is thrown away, and chooses
 * one by `readRateTest`. Throws EngineError `invalid-setting` where no rate lowered the loss, and as `createRun`.
 */
export async function testRates(settings: KnownSettings, place: Place): Promise<RateTest> {
  const { family, backend, data, controls } = place;
  const budget = { kind: 'steps', steps: STEPS } as const;
  const run = await family.createRun(
    { backend, settings: { ...settings, budget }, controls, rateAt: rateOf },
    data,
  );
  const losses: number[] = [];
  try {
    while (losses.length < STEPS && !isOut(losses)) losses.push(...(await run.advance(1)).losses);
  } catch (error) {
    // The very rate that the test is there to find.
    if (!(error instanceof EngineError) || error.code !== 'diverged') throw error;
  } finally {
    run.close();
  }
  return readRateTest(losses);
}

/** The rate of a step of the test. */
const rateOf = (step: number): number => LOWEST * (HIGHEST / LOWEST) ** (step / (STEPS - 1));

/**
 * Chooses a rate by the losses of a test, from its first step on: halfway, in decades, between where the smoothed loss
 * falls most steeply and where it is lowest. The one is slow, the other the brink. Throws EngineError `invalid-setting`.
 */
export function readRateTest(losses: readonly number[]): RateTest {
  const smoothed = losses.map((_, at) => meanAround(losses, at));
  const loss = Math.min(...smoothed);
  const lowest = smoothed.indexOf(loss);
  if (lowest < 1) {
    throw new EngineError(
      'invalid-setting',
      `no rate from ${LOWEST} to ${HIGHEST} lowered the loss of ${losses[0]?.toFixed(3)}: expected a rate in place of auto`,
    );
  }
  const falls = smoothed.slice(0, lowest).map((value, at) => value - (smoothed[at + 1] ?? value));
  const steepest = falls.indexOf(Math.max(...falls));
  const chosen = Number(rateOf((steepest + lowest) / 2).toPrecision(2));
  const reason =
    `a range test of ${losses.length} steps: halfway between ${rateOf(steepest).toPrecision(2)}, where the smoothed loss ` +
    `falls most steeply, and ${rateOf(lowest).toPrecision(2)}, where it is lowest (${loss.toFixed(3)})`;
  return { rates: losses.map((_, step) => rateOf(step)), losses, smoothed, chosen, reason };
}

/** At the ends, of as few on one side as there are on the other. */
function meanAround(losses: readonly number[], at: number): number {
  const reach = Math.min(REACH, at, losses.length - 1 - at);
  const around = losses.slice(at - reach, at + reach + 1);
  return around.reduce((sum, loss) => sum + loss, 0) / around.length;
}

/** Whether the last losses are far above the lowest before. */
function isOut(losses: readonly number[]): boolean {
  if (losses.length < 4 * REACH) return false;
  const smoothed = losses.map((_, at) => meanAround(losses, at));
  return meanAround(losses, losses.length - 1 - REACH) > WORSE * Math.min(...smoothed);
}
