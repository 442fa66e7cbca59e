import type { Change, Evidence, Finding, Remedy } from './findings.ts';
import {
  hasLearned,
  type LayerReading,
  type Observations,
  type WeightReading,
} from './observations.ts';

/** Spikes per neuron and step below which, with nearly all neurons dead, a layer passes nothing on. */
const SILENT_RATE = 0.002;
const SILENT_DEAD = 0.9;
/** A layer that fires less than this far below its threshold is as good as silent. */
const FAINT_RATE = 0.05;
const FAR_BELOW = 0.5;
/** Fraction of neurons that fire in nearly every step. */
const SATURATED = 0.5;
/** Fraction of neurons that say nothing of their input, as they fire always or never. */
const FIXED = 0.9;
/** Mean slope of a surrogate below which hardly a neuron learns; the narrowest built-in one has 0.02 at least. */
const MIN_SLOPE = 0.003;
/** Root mean square of numbers that networks are given; digits, spectra and standardised columns lie between. */
const INPUT_SIZES = { least: 0.02, most: 8 } as const;
/** Weights that have so many times the size of first ones, or that fraction, were not made by training. */
const WEIGHT_SIZES = { least: 0.2, most: 6 } as const;

/** A surrogate of this fraction of the threshold is out of reach once membranes come near. */
const NARROW = 0.05;

/** The first layer that says nothing: its neurons never fire, or always, or no gradient passes their spikes. */
export function findFiring(observed: Observations): Finding | undefined {
  const { layers, weights } = observed;
  const layer = layers.find((one) => symptomOf(one) !== undefined);
  const symptom = layer && symptomOf(layer);
  if (!layer || !symptom) return undefined;
  // A checkpoint of a network that has learned nothing is no good one.
  const from = hasLearned(observed) === false ? 'new-weights' : 'checkpoint';
  const inFront = weights.find(({ name }) => name === layer.weights);
  const odd = inFront && oddWeights(inFront);
  return {
    ...symptom,
    layer: layer.name,
    evidence: [...symptom.evidence, ...(odd ? [odd] : [])],
    remedy: odd
      ? { changes: [], from: 'new-weights' }
      : { from, ...remedyOf(symptom.cause, layer) },
  };
}

/** Numbers of a size that the first layer of neurons cannot take, or that nothing was learned from. */
export function findInputScale(observed: Observations): Finding | undefined {
  const { inputs, layers } = observed;
  const [first] = layers;
  const symptom = first && symptomOf(first);
  if (!inputs || (!symptom && hasLearned(observed) !== false)) return undefined;
  const { mean, deviation } = inputs;
  const size = Math.hypot(mean, deviation);
  const { least, most } = INPUT_SIZES;
  if (size === 0 || (size >= least && size <= most)) return undefined;
  // Numbers that are all the same have no deviation to be divided by.
  const [offset, scale] = deviation > 0 ? [mean, 1 / deviation] : [0, 1 / size];
  const changes: Change[] = [
    { setting: 'input-offset', from: 0, to: offset },
    { setting: 'input-scale', from: 1, to: scale },
  ];
  return {
    cause: 'input-scale',
    evidence: [
      { figure: 'input-size', value: size, least, most },
      ...(symptom ? symptom.evidence : []),
    ],
    remedy: { changes, from: 'new-weights' },
  };
}

type Symptom = Pick<Finding, 'evidence'> & {
  readonly cause: 'silent' | 'saturated' | 'surrogate-out-of-reach';
};

function symptomOf(layer: LayerReading): Symptom | undefined {
  const { rate, dead, saturated, membranes } = layer;
  const distance = distanceOf(membranes);
  if ((rate < SILENT_RATE && dead > SILENT_DEAD) || isFaint(layer)) {
    const least = rate < SILENT_RATE ? SILENT_RATE : FAINT_RATE;
    return {
      cause: 'silent',
      evidence: [
        { figure: 'rate', value: rate, least },
        { figure: 'dead', value: dead },
        ...distance,
      ],
    };
  }
  if (saturated > SATURATED || (saturated > 0 && dead + saturated > FIXED)) {
    return {
      cause: 'saturated',
      evidence: [
        { figure: 'saturated', value: saturated, most: SATURATED },
        { figure: 'dead', value: dead },
        { figure: 'rate', value: rate },
        ...distance,
      ],
    };
  }
  if (!membranes || membranes.slope >= MIN_SLOPE) return undefined;
  const slope = { figure: 'slope', value: membranes.slope, least: MIN_SLOPE } as const;
  return { cause: 'surrogate-out-of-reach', evidence: [slope, ...distance] };
}

/** Whether hardly a neuron fires, and the others are so far below that no gradient brings them up. */
function isFaint({ rate, membranes }: LayerReading): boolean {
  if (!membranes || rate >= FAINT_RATE || membranes.slope >= MIN_SLOPE) return false;
  const { threshold = 0, high } = membranes;
  return high < FAR_BELOW * threshold;
}

/** How far membranes are from their threshold, in widths of the surrogate. */
function distanceOf(membranes: LayerReading['membranes']): readonly Evidence[] {
  if (!membranes) return [];
  return [{ figure: 'membrane-distance', value: membranes.distance / membranes.width }];
}

function oddWeights({ size, firstSize }: WeightReading): Evidence | undefined {
  const value = size / firstSize;
  const { least, most } = WEIGHT_SIZES;
  if (!Number.isFinite(value) || (value >= least && value <= most)) return undefined;
  return { figure: 'weight-size', value, least, most };
}

/** A threshold that a part of the neurons is above, or a surrogate as wide as membranes are away. */
function remedyOf(
  cause: Symptom['cause'],
  { name, membranes }: LayerReading,
): Pick<Remedy, 'changes'> & Partial<Remedy> {
  if (!membranes) return { changes: [], from: 'new-weights' };
  const { threshold, high, distance, fittingWidth, width } = membranes;
  if (cause === 'surrogate-out-of-reach') {
    const to = rounded(fittingWidth);
    const change = { setting: 'surrogate-width', layer: name, from: width, to } as const;
    return { changes: [change] };
  }
  if (threshold === undefined || high <= 0) return { changes: [], from: 'new-weights' };
  const own: Change = { setting: 'threshold', layer: name, from: threshold, to: rounded(high) };
  const isNarrow = width < NARROW * high;
  const to = rounded((high * fittingWidth) / distance);
  const wider: Change = { setting: 'surrogate-width', layer: name, from: width, to };
  return { changes: isNarrow ? [own, wider] : [own] };
}

/** Two digits are what anybody would type. */
export const rounded = (value: number): number => Number(value.toPrecision(2));
