import { EngineError } from '../errors.ts';
import {
  checkStructure,
  type ChronospikeStructure,
  defaultNeuron,
  geometricTau,
} from '../models/dense-chronospike/structure.ts';

/** How long to train. */
export type Budget =
  | { readonly kind: 'steps'; readonly steps: number }
  | { readonly kind: 'epochs'; readonly epochs: number }
  | { readonly kind: 'minutes'; readonly minutes: number };

/** What a user chooses for a training run; names as on the wire in parentheses where they differ. */
export interface TrainingSettings {
  /** d_model */
  readonly width: number;
  readonly heads: number;
  readonly blocks: number;
  /** time_steps */
  readonly steps: number;
  /** seq_len, in tokens */
  readonly sequence: number;
  /** batch_size, in sequences */
  readonly batch: number;
  readonly learningRate: number;
  readonly seed: number;
  readonly budget: Budget;
}

/** Controls of the optimiser and its schedule, which a run records but a user rarely touches. */
export interface TrainingControls {
  /** Share of the budget over which the rate rises from 0. */
  readonly warmup: number;
  /** Share of the budget before which the rate does not fall. */
  readonly decayStart: number;
  /** What is left of the submitted rate at the end of the cosine. */
  readonly finalRate: number;
  /** Largest global norm of the gradient. */
  readonly gradClipNorm: number;
  /** On matrices only. */
  readonly weightDecay: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
}

/** The stable_baseline profile (spec/models: convergence profiles). */
export const stableBaseline: TrainingControls = {
  warmup: 0.05,
  decayStart: 0,
  finalRate: 0.1,
  gradClipNorm: 1,
  weightDecay: 0.1,
  beta1: 0.9,
  beta2: 0.95,
  epsilon: 1e-8,
};

export type PresetName = 'tiny' | 'small' | 'base' | 'large';
type PresetFields = Omit<TrainingSettings, 'seed' | 'budget'>;

/** Values that presets put into the fields; every field can be edited afterwards. */
export const presets: Readonly<Record<PresetName, PresetFields>> = {
  tiny: preset([32, 2, 1, 2], { sequence: 32, batch: 8, learningRate: 1e-2 }),
  small: preset([128, 4, 4, 4], { sequence: 64, batch: 16, learningRate: 1e-4 }),
  base: preset([256, 8, 6, 4], { sequence: 128, batch: 16, learningRate: 1e-4 }),
  large: preset([512, 8, 12, 4], { sequence: 256, batch: 16, learningRate: 1e-4 }),
};

function preset(
  [width, heads, blocks, steps]: readonly [number, number, number, number],
  rest: Pick<PresetFields, 'sequence' | 'batch' | 'learningRate'>,
): PresetFields {
  return { width, heads, blocks, steps, ...rest };
}

/** Throws EngineError `invalid-setting` or `invalid-structure` naming the value and what was expected. */
export function checkSettings(settings: TrainingSettings): void {
  const { width, heads, sequence, batch, learningRate, seed, budget } = settings;
  requireWhole('seq_len', sequence, 2);
  requireWhole('batch_size', batch, 1);
  requireWhole('seed', seed, 0);
  requirePositive('learning_rate', learningRate);
  if (budget.kind === 'steps') requireWhole('steps', budget.steps, 1);
  if (budget.kind === 'epochs') requirePositive('epochs', budget.epochs);
  if (budget.kind === 'minutes') requirePositive('minutes', budget.minutes);
  // Before the structure, which holds a number per head.
  if (Number.isSafeInteger(width) && heads > Math.max(1, width)) {
    refuse(`heads is ${heads}: expected at most d_model, which is ${width}`);
  }
  checkStructure(structureOf(settings, 1));
}

/** The structure that the settings ask for, over an alphabet of `vocabulary` characters. */
export function structureOf(settings: TrainingSettings, vocabulary: number): ChronospikeStructure {
  const { width, heads, blocks, steps, sequence } = settings;
  const tau = geometricTau(heads, sequence);
  return { vocabulary, width, heads, blocks, steps, tau, ...defaultNeuron };
}

function requireWhole(name: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  refuse(`${name} is ${value}: expected a whole number of at least ${least}`);
}

function requirePositive(name: string, value: number): void {
  if (value > 0 && value < Number.POSITIVE_INFINITY) return;
  refuse(`${name} is ${value}: expected a positive number`);
}

function refuse(message: string): never {
  throw new EngineError('invalid-setting', message);
}
