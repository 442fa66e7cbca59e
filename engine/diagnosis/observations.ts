import type { LayerActivity } from '../train/spike-statistics.ts';

/** Membranes of a layer over a batch, in front of their reset. */
export interface MembraneReading {
  /** That of the layer; undefined where it is not the same in all steps, or is part of equations. */
  readonly threshold: number | undefined;
  /** Median distance from the threshold. */
  readonly distance: number;
  /** The membrane that 15 % of neurons and steps are above. */
  readonly high: number;
  /** Distance from the threshold that the surrogate takes for one unit. */
  readonly width: number;
  /** Mean slope of the surrogate, as a fraction of its slope at the threshold. */
  readonly slope: number;
  /** The width with which the surrogate has about half its slope at the median distance. */
  readonly fittingWidth: number;
}

/** One layer of neurons. */
export interface LayerReading extends Omit<LayerActivity, 'histogram'> {
  /** Name of the weights that make its input current. */
  readonly weights?: string | undefined;
  readonly membranes?: MembraneReading | undefined;
  /** Norm of the gradient of its input current at each time step, first step first. */
  readonly gradients?: readonly number[] | undefined;
}

/** Trained numbers of one layer. */
export interface WeightReading {
  /** That of the layer: the names of its parameters begin with it. */
  readonly name: string;
  readonly count: number;
  /** Root mean square of the values, and of those that training begins with. */
  readonly size: number;
  readonly firstSize: number;
  /** Norm of the gradient; undefined where none was computed. */
  readonly gradient?: number | undefined;
}

/** Numbers that a network is given; of spikes there is nothing to scale. */
export interface InputReading {
  readonly mean: number;
  readonly deviation: number;
}

/** A training so far. */
export interface TrainingReading {
  /** Mean loss, and norm of the gradient before clipping, of each step. */
  readonly losses: ArrayLike<number>;
  readonly norms: ArrayLike<number>;
  readonly learningRate: number;
  /** Whether steps are as long as the rate whatever the gradient, as those of Adam. */
  readonly isAdaptive: boolean;
  /** The rate that was measured as good for such a run; undefined where there is none. */
  readonly measuredRate?: number | undefined;
}

/** How far labels can be told from inputs, without the network. */
export interface LabelReading {
  /** Accuracy of a simple classifier on examples that it did not learn from. */
  readonly accuracy: number;
  /** That of guessing, and its standard deviation over so many examples. */
  readonly chance: number;
  readonly deviation: number;
  /** Of the network, on validation data where there is some. */
  readonly reached: number;
}

/** Everything that findings are made of. What was not measured is undefined, and nothing is found in it. */
export interface Observations {
  /** Layers of neurons in their order. */
  readonly layers: readonly LayerReading[];
  readonly weights: readonly WeightReading[];
  readonly inputs?: InputReading | undefined;
  readonly training?: TrainingReading | undefined;
  readonly labels?: LabelReading | undefined;
  /** The first place with a number that is not finite. */
  readonly notFinite?: string | undefined;
}

/** Standard deviations of guessing that tell learning from it. */
const ABOVE_CHANCE = 3;
/** Fraction of the first loss; a network that is still above it has hardly learned. */
const LEARNED = 0.8;
/** Losses that the last one is a mean of, as a fraction of all; the first is taken before much has changed. */
const LAST = 0.1;
const FIRST_LOSSES = 2;

/** The highest accuracy that may be guessed. */
export const mostByChance = ({ chance, deviation }: LabelReading): number =>
  chance + ABOVE_CHANCE * deviation;

/** Mean losses at both ends of a training; no number where one of these is none. */
export function endsOf({ losses }: TrainingReading) {
  const all = Array.from(losses);
  const last = mean(all.slice(-Math.max(1, Math.round(all.length * LAST))));
  const first = mean(all.slice(0, FIRST_LOSSES));
  return { first, last, most: LEARNED * first };
}

const mean = (some: readonly number[]): number =>
  some.reduce((sum, one) => sum + one, 0) / some.length;

/** Whether training has come anywhere; undefined where nothing says so. */
export function hasLearned({ training, labels }: Observations): boolean | undefined {
  if (labels && labels.reached <= mostByChance(labels)) return false;
  if (!training) return undefined;
  const { last, most } = endsOf(training);
  // Of no number nothing is true.
  return last <= most;
}
