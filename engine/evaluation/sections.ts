import type { SpikeUse } from './spike-use.ts';
import type { CalibrationFigures } from './calibration.ts';
import type { ClassificationFigures } from './confusion.ts';
import type {
  CalibrationSection,
  ClassificationSection,
  EnergySection,
  RanksSection,
  SpikesSection,
} from './report.ts';
import type { RetrievalFigures } from './retrieval.ts';

/* Figures of the meters in the form of a report. */

/** Characters that the model's tokenizer lacks, for a report. */
export const leftOut = (unknown: number): { unknown_characters?: number } =>
  unknown > 0 ? { unknown_characters: unknown } : {};

export function calibrationSection(figures: CalibrationFigures): CalibrationSection {
  const { count, expectedError, maximumError, brierScore, bins } = figures;
  return {
    count,
    expected_error: expectedError,
    maximum_error: maximumError,
    brier_score: brierScore,
    bins: [...bins],
  };
}

export function classificationSection(
  { count, accuracy, balancedAccuracy, macroF1, matrix, classes }: ClassificationFigures,
  rest: Pick<ClassificationSection, 'labels' | 'interval' | 'calibration'>,
): ClassificationSection {
  return {
    count,
    accuracy,
    balanced_accuracy: balancedAccuracy,
    macro_f1: macroF1,
    matrix: matrix.map((row) => [...row]),
    classes: [...classes],
    ...rest,
  };
}

export function ranksSection(figures: RetrievalFigures): RanksSection {
  return {
    recall_at: Object.fromEntries(figures.recallAt),
    mean_reciprocal_rank: figures.meanReciprocalRank,
    median_rank: figures.medianRank,
  };
}

/** Spikes of a model over some units. */
export interface SpikeCounts {
  readonly use: SpikeUse;
  /** Time steps of the neurons in each unit. */
  readonly steps: number;
  /** Frames of a unit that share its steps, such as those of a sound; 1 by default. */
  readonly frames?: number;
  readonly units: number;
  /** None where no neuron fires. */
  readonly layers: readonly {
    readonly name: string;
    readonly neurons: number;
    readonly spikes: number;
  }[];
}

/** Spikes, where neurons fire, and the three figures of energy, for one unit each. */
export function spikeSections(counts: SpikeCounts): {
  spikes?: SpikesSection;
  energy: EnergySection;
} {
  const energy = energySection(counts);
  return counts.layers.length === 0 ? { energy } : { spikes: spikesSection(counts), energy };
}

function spikesSection({ use, steps, frames, units, layers }: SpikeCounts): SpikesSection {
  const { total, rate, synapticOps, denseMacs } = use;
  const chances = steps * Math.max(1, units);
  const each = perUnit(units);
  return {
    total,
    per_unit: each(total),
    rate,
    neurons: layers.reduce((sum, { neurons }) => sum + neurons, 0),
    time_steps: steps,
    ...(frames !== undefined && { frames }),
    synaptic_ops_per_unit: each(synapticOps),
    dense_macs_per_unit: each(denseMacs),
    layers: layers.map((layer) => ({ ...layer, rate: layer.spikes / (layer.neurons * chances) })),
  };
}

function energySection({ use, units, layers }: SpikeCounts): EnergySection {
  const { synapticOps, denseMacs, energy, breakEvenRate } = use;
  const each = perUnit(units);
  const isFloat = layers.length === 0;
  return {
    synaptic_ops: each(synapticOps),
    ...(isFloat && { macs: each(denseMacs) }),
    compute_pj: each(energy.computePj),
    dense_compute_pj: each(energy.denseComputePj),
    with_memory_pj: each(energy.withMemoryPj),
    dense_with_memory_pj: each(energy.denseWithMemoryPj),
    break_even_rate: breakEvenRate,
  };
}

const perUnit = (units: number) => (amount: number) => amount / Math.max(1, units);
