import type { Change, Evidence, Finding } from './findings.ts';
import { rounded } from './firing-rules.ts';
import {
  endsOf,
  hasLearned,
  type LayerReading,
  mostByChance,
  type Observations,
  type TrainingReading,
} from './observations.ts';

/**
 * Factor of a gradient from each step to the one before it. It is read over the first half of the steps: towards the
 * end, where the losses of many steps come together, gradients of leaky neurons grow, too.
 */
const MAX_GROWTH = 1.8;
const MIN_STEPS = 3;
/** One update in units of the weights it changes: above the first it overwrites them. */
const LONG_STEP = 0.6;
const GOOD_STEP = 0.06;
/** All updates together, in the same units: below it weights are as they began. */
const SHORT_WAY = 0.3;
/** So many steps show whether a loss falls. */
const MIN_LOSSES = 8;
/** Steps at the beginning that gradients are taken from: those of a training that has failed are zero. */
const FIRST_NORMS = 3;
/** Times a measured rate, or that fraction of it. */
const FAR_FROM_MEASURED = 10;
const CLIP_NORM = 1;
/** A gradient that grows is brought below 1 a step. */
const DAMPED = 0.8;

/** Gradients that grow from step to step on their way back through time. */
export function findExploding({ layers, weights }: Observations): Finding | undefined {
  for (const { name, gradients } of layers) {
    const growth = growthOf(gradients);
    if (growth === undefined || growth <= MAX_GROWTH) continue;
    const isRecurrent = weights.some((one) => one.name === name);
    const clip: Change = { setting: 'clip-norm', to: CLIP_NORM };
    const gain: Change = {
      setting: 'gain',
      layer: name,
      from: 1,
      to: rounded(DAMPED / growth ** 2),
    };
    return {
      cause: 'exploding',
      layer: name,
      evidence: [{ figure: 'growth', value: growth, most: MAX_GROWTH }],
      remedy: { changes: isRecurrent ? [gain, clip] : [clip], from: 'checkpoint' },
    };
  }
  return undefined;
}

/** Mean factor from each step to the one before, by the steps that have a gradient; the slope of its logarithm. */
function growthOf(gradients: LayerReading['gradients']): number | undefined {
  const half = gradients?.slice(0, Math.ceil(gradients.length / 2)) ?? [];
  const logs = half.flatMap((norm, step) =>
    norm > 0 && Number.isFinite(norm) ? [[step, Math.log(norm)] as const] : [],
  );
  if (logs.length < MIN_STEPS) return undefined;
  const mean = (pick: 0 | 1) => logs.reduce((sum, one) => sum + one[pick], 0) / logs.length;
  const [step, height] = [mean(0), mean(1)];
  const up = logs.reduce((sum, [at, log]) => sum + (at - step) * (log - height), 0);
  const along = logs.reduce((sum, [at]) => sum + (at - step) ** 2, 0);
  return Math.exp(-up / along);
}

/** A learning rate with which weights are overwritten, or stay as they began. */
export function findRate(observed: Observations): Finding | undefined {
  const { training } = observed;
  if (!training || hasLearned(observed) !== false) return undefined;
  const step = stepSizeOf(observed, training);
  return step === undefined ? undefined : rateOf(training, step);
}

function rateOf(training: TrainingReading, step: number): Finding | undefined {
  const { first, last, most } = endsOf(training);
  const count = training.losses.length;
  if (count < MIN_LOSSES && Number.isFinite(last)) return undefined;
  const ends: Evidence[] = [
    { figure: 'first-loss', value: first },
    { figure: 'last-loss', value: last, most },
  ];
  const losses = ends.filter(({ value }) => Number.isFinite(value));
  const { learningRate, measuredRate = (learningRate * GOOD_STEP) / step } = training;
  const far = distanceToMeasured(training);
  const to = rounded(measuredRate);
  const changes: Change[] = [{ setting: 'learning-rate', from: learningRate, to }];
  if (step > LONG_STEP || (far === 'above' && !(last <= first))) {
    const evidence: Evidence[] = [{ figure: 'step-size', value: step, most: LONG_STEP }, ...losses];
    return { cause: 'rate-too-high', evidence, remedy: { changes, from: 'new-weights' } };
  }
  if (step * count >= SHORT_WAY && far !== 'below') return undefined;
  const travelled: Evidence = { figure: 'travelled', value: step * count, least: SHORT_WAY };
  const evidence = [travelled, ...losses];
  return { cause: 'rate-too-low', evidence, remedy: { changes, from: 'checkpoint' } };
}

function distanceToMeasured({ learningRate, measuredRate = learningRate }: TrainingReading) {
  if (learningRate > measuredRate * FAR_FROM_MEASURED) return 'above';
  return learningRate < measuredRate / FAR_FROM_MEASURED ? 'below' : undefined;
}

/** Norm of an update at the beginning, in units of that of the first weights. */
function stepSizeOf({ weights }: Observations, training: TrainingReading): number | undefined {
  const { learningRate, isAdaptive, norms } = training;
  const count = weights.reduce((sum, one) => sum + one.count, 0);
  const size = Math.hypot(...weights.map((one) => one.firstSize * Math.sqrt(one.count)));
  if (size === 0) return undefined;
  if (isAdaptive) return (learningRate * Math.sqrt(count)) / size;
  const first = Array.from(norms).slice(0, FIRST_NORMS).filter(Number.isFinite);
  return first.length === 0 ? undefined : (learningRate * Math.max(...first)) / size;
}

/** Labels that nothing about the inputs tells: a simple classifier guesses, and so does the network. */
export function findLabels({ labels }: Observations): Finding | undefined {
  if (!labels) return undefined;
  const { accuracy, reached } = labels;
  const most = mostByChance(labels);
  if (accuracy > most || reached > most) return undefined;
  return {
    cause: 'labels-shuffled',
    evidence: [
      { figure: 'simple-accuracy', value: accuracy, least: most },
      { figure: 'accuracy', value: reached, least: most },
    ],
  };
}
