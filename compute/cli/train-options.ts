import { type Command, Option } from 'commander';
import {
  type Budget,
  chronospikeSettings,
  controlsFor,
  controlsOf,
  EngineError,
  type Environment,
  PROFILE_NAMES,
  type ProfileName,
  type PresetName,
  presets,
  type StoredTraining,
  settingsOf,
  type TrainingControls,
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
  readonly convergenceProfile?: ProfileName;
  readonly warmup?: number;
  readonly decayStart?: number;
  readonly finalRate?: number;
  readonly gradClipNorm?: number;
  readonly weightDecay?: number;
  readonly beta1?: number;
  readonly beta2?: number;
  readonly epsilon?: number;
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

/** Flags that set a control, each of the same name in the engine, with what they tell. */
const CONTROL_FLAGS = {
  warmup: ['--warmup <share>', 'share of the run over which the rate rises'],
  decayStart: ['--decay-start <share>', 'share of the run before which the rate does not fall'],
  finalRate: ['--final-rate <share>', 'what is left of the rate at the end'],
  gradClipNorm: ['--grad-clip-norm <n>', 'largest norm of the gradient'],
  weightDecay: ['--weight-decay <n>', 'of AdamW, on matrices'],
  beta1: ['--beta1 <n>', 'of AdamW'],
  beta2: ['--beta2 <n>', 'of AdamW'],
  epsilon: ['--epsilon <n>', 'of AdamW'],
} as const satisfies Record<keyof TrainingControls, readonly [string, string]>;
const CONTROLS = Object.keys(CONTROL_FLAGS) as (keyof TrainingControls)[];
const DEFAULT_PROFILE: ProfileName = 'stable_baseline';

export function trainOptions(command: Command): Command {
  const described = deviceOptions(command)
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
    .addOption(
      new Option('--convergence-profile <name>', 'fills the controls below').choices(PROFILE_NAMES),
    )
    .option('--report-every <n>', 'steps between validations and checkpoints', numberOption)
    .option('--profile', 'at the end, say what each kernel of a step took')
    .option('--json', 'print one line of JSON per report');
  return Object.values(CONTROL_FLAGS).reduce(
    (options, [flag, text]) => options.option(flag, text, numberOption),
    described,
  );
}

/** What a run is controlled by, and the profile that it is recorded with. */
export interface ChosenControls {
  readonly profile: ProfileName | undefined;
  readonly controls: TrainingControls;
}

/** The controls of a new run: those given, then TRAIN_…_OVERRIDE variables, then the profile. */
export function newControls(options: TrainOptions, environment: Environment): ChosenControls {
  const profile = options.convergenceProfile ?? DEFAULT_PROFILE;
  return { profile, controls: controlsFor(profile, givenControls(options), environment) };
}

/**
 * The controls of a run that goes on: its own, whatever the variables say now. Throws EngineError
 * `checkpoint-mismatch` for a control or a profile that is given and differs.
 */
export function resumedControls(options: TrainOptions, stored: StoredTraining): ChosenControls {
  const { convergence_profile: profile } = stored.execution;
  const controls = controlsOf(stored.execution);
  const asked = { ...givenControls(options), convergence_profile: options.convergenceProfile };
  const held = { ...controls, convergence_profile: profile };
  refuseChanges(
    Object.entries(asked).map(([name, value]) => [name, held[name as keyof typeof held], value]),
  );
  return { profile, controls };
}

function givenControls(options: TrainOptions): Partial<TrainingControls> {
  const given = CONTROLS.filter((name) => options[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, options[name]]));
}

type Change = readonly [name: string, held: unknown, given: unknown];

function refuseChanges(changes: readonly Change[]): void {
  const mismatches = changes.flatMap(([name, held, given]) => {
    if (given === undefined || given === held) return [];
    return [`${name} is ${held} in the checkpoint but ${given} was given`];
  });
  if (mismatches.length > 0) throw new EngineError('checkpoint-mismatch', mismatches.join('; '));
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
  const settings = chronospikeSettings(settingsOf(stored.execution, stored.spec.architecture));
  const fields = { ...(options.preset && presets[options.preset]) };
  const given = givenFields(options).map(([flag, value]) => [FIELDS[flag][0], value] as const);
  const wanted: Partial<TrainingSettings> = { ...fields, ...Object.fromEntries(given) };
  refuseChanges(
    Object.values(FIELDS).map(([field, wire]) => [wire, settings[field], wanted[field]]),
  );
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
