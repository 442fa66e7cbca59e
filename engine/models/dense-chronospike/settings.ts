import {
  recordedText,
  type TextFields,
  textFields,
  textFieldsAmong,
} from '../../datasets/text-fields.ts';
import { EngineError } from '../../errors.ts';
import type { Checkpoints } from '../../ops/layer-shapes.ts';
import { initialFields, readFields } from '../../settings/fields.ts';
import { PRESET_NAMES, type PresetName } from '../../settings/recipes.ts';
import {
  chronospikeDescription,
  type ChronospikeFields,
  chronospikeFields,
} from './description.ts';
import { defaultEnergySettings, type EnergySettings } from './energy.ts';
import { readEquations } from './equations.ts';
import {
  checkStructure,
  type ChronospikeStructure,
  defaultNeuron,
  geometricTau,
  type NeuronType,
} from './structure.ts';
import {
  type Budget,
  checkRun,
  requireWhole,
  type RunSettings,
} from '../../settings/run-settings.ts';

/** The settings of a dense_chronospike run in the engine's words; on the wire in parentheses where they differ. */
export interface TrainingSettings {
  /** d_model */
  readonly width: number;
  readonly heads: number;
  readonly blocks: number;
  /** time_steps */
  readonly steps: number;
  /** neuron_type; LIF by default */
  readonly neuron?: NeuronType;
  /** neuron_equations: neurons in place of those of the neuron_type */
  readonly equations?: string;
  /** How gradients come by the states of each step; all are kept by default. */
  readonly checkpoints?: Checkpoints;
  /** seq_len, in tokens */
  readonly sequence: number;
  /** longest_tau, in tokens; as long as a sequence where it is 0 or left out */
  readonly longestTau?: number;
  /** Rows read the text in order and carry their state; off by default. */
  readonly carry?: boolean;
  /** ngram_order; no tables by default */
  readonly ngramOrder?: number;
  /** energy_importance, energy_supply, energy_threshold: of the gate, while it learns */
  readonly energy?: EnergySettings;
  /** batch_size, in sequences */
  readonly batch: number;
  readonly learningRate: number;
  /** How the dataset becomes tokens; by default, as the fields have it at first. */
  readonly text?: Partial<TextFields>;
  readonly seed: number;
  readonly budget: Budget;
  /** As in `RunSettings`. */
  readonly chosen?: RunSettings['chosen'];
}

type PresetFields = Omit<TrainingSettings, 'seed' | 'budget'>;

/** The presets in the engine's words. */
export const presets = Object.fromEntries(
  PRESET_NAMES.map((name) => [name, presetOf(name)]),
) as Readonly<Record<PresetName, PresetFields>>;

function presetOf(name: PresetName): PresetFields {
  const { fields, batch, learningRate } = chronospikeDescription.presets[name];
  const { d_model, n_heads, num_blocks, time_steps, seq_len } = {
    ...initialFields(chronospikeFields),
    ...fields,
  } as ChronospikeFields;
  return {
    width: d_model,
    heads: n_heads,
    blocks: num_blocks,
    steps: time_steps,
    sequence: seq_len,
    batch,
    learningRate,
  };
}

/** Throws EngineError `invalid-setting` or `invalid-structure` naming the value and what was expected. */
export function checkSettings(settings: TrainingSettings): void {
  const { width, heads, sequence } = settings;
  requireWhole('seq_len', sequence, 2);
  checkRun(settings);
  // Before the structure, which holds a number per head.
  if (Number.isSafeInteger(width) && heads > Math.max(1, width)) {
    refuse(`heads is ${heads}: expected at most d_model, which is ${width}`);
  }
  checkStructure(structureOf(settings, 1));
}

/** The settings of a run by the names that its checkpoint and the services use. */
export function runSettingsOf(settings: TrainingSettings): RunSettings<'dense_chronospike'> {
  const { width, heads, blocks, steps, neuron = defaultNeuron.neuron, sequence } = settings;
  const {
    longestTau = 0,
    carry = false,
    ngramOrder = 0,
    batch,
    learningRate,
    seed,
    budget,
    chosen,
  } = settings;
  const { importance, supply, threshold } = settings.energy ?? defaultEnergySettings;
  const fields = {
    d_model: width,
    n_heads: heads,
    num_blocks: blocks,
    time_steps: steps,
    neuron_type: neuron,
    ...(settings.equations !== undefined && { neuron_equations: settings.equations }),
    checkpoints: settings.checkpoints ?? 'none',
    seq_len: sequence,
    longest_tau: longestTau,
    carry,
    ngram_order: ngramOrder,
    energy_importance: importance,
    energy_supply: supply,
    energy_threshold: threshold,
    ...settings.text,
  } satisfies Partial<ChronospikeFields>;
  const run = { batch, learningRate, seed, budget, ...(chosen && { chosen }) };
  return { architecture: 'dense_chronospike', fields, ...run };
}

/** The other way round. Throws EngineError `invalid-setting` for a field that the family does not have. */
export function chronospikeSettings(run: RunSettings): TrainingSettings {
  const { architecture, fields, batch, learningRate, seed, budget, chosen } = run;
  const read = readFields(architecture, chronospikeFields, fields);
  return {
    width: read.d_model,
    heads: read.n_heads,
    blocks: read.num_blocks,
    steps: read.time_steps,
    neuron: read.neuron_type,
    ...(read.neuron_equations !== '' && { equations: read.neuron_equations }),
    checkpoints: checkpointsOf(read),
    sequence: read.seq_len,
    text: recordedText({ ...initialFields(textFields), ...textFieldsAmong(read) }),
    longestTau: read.longest_tau,
    carry: read.carry,
    ngramOrder: read.ngram_order,
    energy: energyOf(read),
    batch,
    learningRate,
    seed,
    budget,
    ...(chosen && { chosen }),
  };
}

/** How a run keeps states for its gradients. */
export function checkpointsOf({
  checkpoints,
}: Pick<ChronospikeFields, 'checkpoints'>): Checkpoints {
  return checkpoints === 'sqrt' ? 'sqrt' : undefined;
}

/** The gate of a run as its fields say. */
export function energyOf(
  fields: Pick<ChronospikeFields, 'energy_importance' | 'energy_supply' | 'energy_threshold'>,
): EnergySettings {
  const { energy_importance: importance, energy_supply: supply } = fields;
  return { importance, supply, threshold: fields.energy_threshold };
}

/** The structure that the settings ask for, over an alphabet of `vocabulary` characters. */
export function structureOf(settings: TrainingSettings, vocabulary: number): ChronospikeStructure {
  const { width, heads, blocks, steps, sequence, neuron = defaultNeuron.neuron } = settings;
  const tau = geometricTau(heads, settings.longestTau || sequence);
  const written = readEquations(settings.equations ?? '');
  const { checkpoints, ngramOrder = 0 } = settings;
  const size = { vocabulary, width, heads, blocks, steps, tau };
  const tables = ngramOrder > 0 && { ngramOrder };
  return { ...size, ...defaultNeuron, neuron, ...written, checkpoints, ...tables };
}

function refuse(message: string): never {
  throw new EngineError('invalid-setting', message);
}
