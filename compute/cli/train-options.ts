import { type Command, Option } from 'commander';
import {
  type Budget,
  EngineError,
  type PresetName,
  presets,
  type StoredTraining,
  settingsOf,
  type TrainingSettings,
} from '../../engine/index.ts';
import { numberOption } from './numbers.ts';
import { type DeviceFlags, deviceOptions } from './open-device.ts';

/** The command line of `train`, as commander parses it. */
export interface TrainOptions extends DeviceFlags {
  readonly dataset: string;
  readonly output?: string;
  readonly resume?: string;
  readonly preset?: PresetName;
  readonly dModel?: number;
  readonly heads?: number;
  readonly blocks?: number;
  readonly timeSteps?: number;
  readonly seqLen?: number;
  readonly batchSize?: number;
  readonly learningRate?: number;
  readonly steps?: number;
  readonly epochs?: number;
  readonly minutes?: number;
  readonly seed?: number;
  readonly reportEvery?: number;
  readonly profile?: boolean;
  readonly json?: boolean;
}

const DEFAULT_PRESET: PresetName = 'tiny';
const DEFAULT_STEPS = 300;
const DEFAULT_SEED = 1;

/** Flags that set a field of the settings, with the name each has on the wire. */
const FIELDS = {
  dModel: ['width', 'd_model'],
  heads: ['heads', 'heads'],
  blocks: ['blocks', 'blocks'],
  timeSteps: ['steps', 'time_steps'],
  seqLen: ['sequence', 'seq_len'],
  batchSize: ['batch', 'batch_size'],
  learningRate: ['learningRate', 'learning_rate'],
  seed: ['seed', 'seed'],
} as const satisfies Partial<Record<keyof TrainOptions, readonly [keyof TrainingSettings, string]>>;
type FieldFlag = keyof typeof FIELDS;

export function trainOptions(command: Command): Command {
  return deviceOptions(command)
    .requiredOption('--dataset <file>', 'the text to learn from, UTF-8')
    .option('--output <dir>', 'where checkpoints go')
    .option('--resume <dir>', 'go on from the last checkpoint of a run')
    .addOption(
      new Option('--preset <name>', 'fills the fields below').choices(Object.keys(presets)),
    )
    .option('--d-model <n>', 'width of the model', numberOption)
    .option('--heads <n>', 'attention heads', numberOption)
    .option('--blocks <n>', 'blocks', numberOption)
    .option('--time-steps <n>', 'time steps of the neurons in each token', numberOption)
    .option('--seq-len <n>', 'characters of a sequence', numberOption)
    .option('--batch-size <n>', 'sequences of a step', numberOption)
    .option('--learning-rate <r>', 'peak of the schedule', numberOption)
    .option('--steps <n>', 'train so many steps', numberOption)
    .option('--epochs <n>', 'train so many passes over the text', numberOption)
    .option('--minutes <n>', 'train so long', numberOption)
    .option('--seed <n>', 'the same seed gives the same run', numberOption)
    .option('--report-every <n>', 'steps between validations and checkpoints', numberOption)
    .option('--profile', 'at the end, say what each kernel of a step took')
    .option('--json', 'print one line of JSON per report');
}

/** The settings of a new run: the preset's fields, then those given. */
export function newSettings(options: TrainOptions): TrainingSettings {
  const given = givenFields(options).map(([flag, value]) => [FIELDS[flag][0], value]);
  return {
    seed: DEFAULT_SEED,
    ...presets[options.preset ?? DEFAULT_PRESET],
    ...Object.fromEntries(given),
    budget: budgetOf(options) ?? { kind: 'steps', steps: DEFAULT_STEPS },
  };
}

/**
 * The settings of a run that goes on: its own, and a new budget where one is given. Throws
 * EngineError `checkpoint-mismatch` for a field that is given and differs.
 */
export function resumedSettings(options: TrainOptions, stored: StoredTraining): TrainingSettings {
  const settings = settingsOf(stored.execution);
  const fields = { ...(options.preset && presets[options.preset]) };
  const given = givenFields(options).map(([flag, value]) => [FIELDS[flag][0], value] as const);
  const wanted: Partial<TrainingSettings> = { ...fields, ...Object.fromEntries(given) };
  const mismatches = Object.values(FIELDS).flatMap(([field, wire]) => {
    const value = wanted[field];
    if (value === undefined || value === settings[field]) return [];
    return [`${wire} is ${settings[field]} in the checkpoint but ${value} was given`];
  });
  if (mismatches.length > 0) throw new EngineError('checkpoint-mismatch', mismatches.join('; '));
  return { ...settings, budget: budgetOf(options) ?? settings.budget };
}

const REPORTS_PER_RUN = 10;
const MOST_STEPS_PER_REPORT = 100;

/** Steps between reports: as asked for, else ten reports a run and one every hundred steps at least. */
export function reportInterval({ reportEvery }: TrainOptions, total: number | undefined): number {
  if (reportEvery === undefined) {
    return Math.min(MOST_STEPS_PER_REPORT, Math.ceil((total ?? Infinity) / REPORTS_PER_RUN));
  }
  if (Number.isSafeInteger(reportEvery) && reportEvery > 0) return reportEvery;
  throw new EngineError(
    'invalid-setting',
    `--report-every is ${reportEvery}: expected a whole number of at least 1`,
  );
}

function givenFields(options: TrainOptions): [FieldFlag, number][] {
  return (Object.keys(FIELDS) as FieldFlag[]).flatMap((flag) => {
    const value = options[flag];
    return value === undefined ? [] : [[flag, value] satisfies [FieldFlag, number]];
  });
}

function budgetOf({ steps, epochs, minutes }: TrainOptions): Budget | undefined {
  const given: Budget[] = [];
  if (steps !== undefined) given.push({ kind: 'steps', steps });
  if (epochs !== undefined) given.push({ kind: 'epochs', epochs });
  if (minutes !== undefined) given.push({ kind: 'minutes', minutes });
  if (given.length > 1) {
    const names = given.map(({ kind }) => `--${kind}`).join(' and ');
    throw new EngineError('invalid-setting', `${names} were given: expected at most one of them`);
  }
  return given[0];
}
