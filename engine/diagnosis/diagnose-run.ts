import type { Examples } from '../data/examples.ts';
import { chooseLeftOut } from '../models/choices.ts';
import { parseArchitecture } from '../models/architectures.ts';
import type { TrainingRun } from '../models/family.ts';
import type { Validation } from '../train/run.ts';
import type { LayerActivity } from '../train/spike-statistics.ts';
import { diagnoseObservations } from './diagnose.ts';
import type { Finding, Remedy } from './findings.ts';
import { agreementOfNeighbours, comparedExamples, type LabelledRows } from './neighbours.ts';
import type { LabelReading, LayerReading, Observations, TrainingReading } from './observations.ts';
import { readWeights } from './weights.ts';

/** A run of a family so far. */
interface RunSoFar {
  readonly run: TrainingRun;
  /**
   * Loss and gradient norm of each step from the first on; undefined of a run that began with trained weights, whose
   * losses say nothing about its rate.
   */
  readonly curve: Pick<TrainingReading, 'losses' | 'norms'> | undefined;
  /** The last one; undefined where there was none. */
  readonly validation: Validation | undefined;
}

/** Findings about a run, and what they rest on. */
export interface RunDiagnosis {
  readonly findings: readonly Finding[];
  readonly observations: Observations;
}

/** A remedy without a measured rate to return to. */
const SLOWER = 0.5;

/**
 * Names why a run does not learn, as `diagnose` does of a model: from its curve, its last validation, and the parameters
 * and gradients that are on the device. Nothing of the run is changed.
 */
export async function diagnoseRun({ run, curve, validation }: RunSoFar): Promise<RunDiagnosis> {
  const measuredRate = measuredRateOf(run);
  const training = curve && {
    ...curve,
    learningRate: run.settings.learningRate,
    isAdaptive: true,
    measuredRate,
  };
  const values = await run.parameters();
  const gradients = await run.gradients();
  const observations: Observations = {
    layers: validation?.layers.map(readActivity) ?? [],
    weights: readWeights(run.layout, { values, gradients }),
    training,
    labels: labelsOf(run.examples, validation),
  };
  const findings = diagnoseObservations(observations);
  return { findings: findings.map((one) => withSettings(one, run)), observations };
}

function readActivity(activity: LayerActivity): LayerReading {
  const { name, neurons, rate, dead, saturated } = activity;
  return { name, neurons, rate, dead, saturated };
}

/** The rate that the recipe of such a run has. */
function measuredRateOf({ settings }: TrainingRun): number | undefined {
  const { architecture, fields } = settings;
  const chosen = chooseLeftOut(parseArchitecture(architecture), fields, { profile: 'auto' });
  const rate = chosen['learning_rate']?.value;
  return typeof rate === 'number' ? rate : undefined;
}

/** Thresholds of a family are part of it: what silences its layers is a rate, which the remedy lowers. */
function withSettings(finding: Finding, run: TrainingRun): Finding {
  if (finding.cause === 'labels-shuffled' || finding.remedy?.changes.some(isRate)) return finding;
  const { learningRate } = run.settings;
  const measured = measuredRateOf(run) ?? learningRate;
  const to = measured < learningRate ? measured : SLOWER * learningRate;
  const remedy: Remedy = {
    changes: [{ setting: 'learning-rate', from: learningRate, to }],
    from: finding.remedy?.from ?? 'new-weights',
  };
  return { ...finding, remedy };
}

const isRate = ({ setting }: Remedy['changes'][number]) => setting === 'learning-rate';

function labelsOf(
  examples: Examples | undefined,
  validation: Validation | undefined,
): LabelReading | undefined {
  const reached = validation?.figures?.['accuracy'];
  if (!examples || reached === undefined) return undefined;
  return agreementOfNeighbours(labelledRows(examples), reached);
}

/** Examples spread over all, the mean over their frames, with the class of each. */
function labelledRows(examples: Examples): LabelledRows {
  const { width, frames } = examples;
  const count = Math.min(examples.count, comparedExamples(width));
  const rows = new Float32Array(count * width);
  const classes = new Uint32Array(count);
  const inputs = new Float32Array(frames * width);
  for (let i = 0; i < count; i++) {
    const example = Math.floor((i * examples.count) / count);
    examples.write(example, { inputs, rows: 1, row: 0 });
    classes[i] = examples.label(example);
    for (const [at, value] of inputs.entries()) {
      const to = i * width + (at % width);
      rows[to] = (rows[to] ?? 0) + value / frames;
    }
  }
  return { rows, width, classes };
}
