import { type Command, Option } from 'commander';
import {
  controlsFor,
  controlsOf,
  EngineError,
  type Environment,
  type NeuronRules,
  type ProfileName,
  REWARD_MODES,
  runControls,
  type RunSettings,
  type StoredTraining,
  type TrainingControls,
} from '../../engine/index.ts';
import { flagOption } from './field-flags.ts';
import { numberOption } from './numbers.ts';
import { type DeviceFlags, deviceOptions } from './open-device.ts';
import { type TeacherFlags, teacherOptions } from './teacher-options.ts';
import { refuseChanges, type SettingsFlags, settingsOptions } from './settings-options.ts';

/** The command line of `train`, as commander parses it, besides the flags of the families' fields. */
export interface TrainOptions extends DeviceFlags, SettingsFlags, TeacherFlags {
  /** A run that goes on knows its own, and made-up data needs none. */
  readonly dataset?: string;
  readonly synthetic?: boolean;
  readonly output?: string;
  readonly resume?: string;
  readonly config?: string;
  readonly base?: string;
  readonly newWeights?: boolean;
  readonly diagnose?: boolean;
  readonly tensorboard?: boolean;
  readonly tokenizerFile?: string;
  readonly warmup?: number;
  readonly decayStart?: number;
  readonly finalRate?: number;
  readonly gradClipNorm?: number;
  readonly weightDecay?: number;
  readonly beta1?: number;
  readonly beta2?: number;
  readonly epsilon?: number;
  readonly average?: number;
  readonly rewardMode?: NeuronRules['rewardMode'];
  readonly rewardClipValue?: number;
  readonly energyGating?: boolean;
  readonly relaxation?: number;
  readonly reportEvery?: number;
  readonly profile?: boolean;
  readonly memory?: number;
  readonly json?: boolean;
}

/** Flags that set a control to a number, each of the same name in the engine, with what they tell. */
const NUMBER_FLAGS = {
  warmup: ['--warmup <share>', 'fraction of the run with rising learning rate'],
  decayStart: ['--decay-start <share>', 'fraction of the run before the learning rate decays'],
  finalRate: ['--final-rate <share>', 'final learning rate as a fraction of the peak'],
  gradClipNorm: ['--grad-clip-norm <n>', 'maximum gradient norm'],
  weightDecay: ['--weight-decay <n>', 'weight decay of AdamW, on matrices'],
  beta1: ['--beta1 <n>', 'of AdamW'],
  beta2: ['--beta2 <n>', 'of AdamW'],
  epsilon: ['--epsilon <n>', 'of AdamW'],
  average: [
    '--average <share>',
    'fraction of the steps so far to average weights over, 0 for none',
  ],
  rewardClipValue: ['--reward-clip-value <n>', 'maximum absolute reward'],
  relaxation: [
    '--relaxation <share>',
    'fraction of the run over which spikes harden from a sigmoid',
  ],
} as const satisfies Partial<Record<keyof TrainingControls, readonly [string, string]>>;
/** Flags that turn a control on or off, likewise. */
const SWITCHES = {
  energyGating: ['--energy-gating [on]', 'energy gating of spikes: on or off'],
} as const satisfies Partial<Record<keyof TrainingControls, readonly [string, string]>>;
const CONTROLS = [
  ...Object.keys(NUMBER_FLAGS),
  ...Object.keys(SWITCHES),
  'rewardMode',
] as (keyof TrainingControls & keyof TrainOptions)[];
const DEFAULT_PROFILE: ProfileName = 'auto';

export function trainOptions(command: Command): Command {
  const paths = deviceOptions(command)
    .option(
      '--dataset <path>',
      'training data: a text, JSONL, or a folder of them; a folder or zip file of images or audio',
    )
    .option('--output <dir>', 'folder for checkpoints')
    .option('--resume <dir>', 'resume a run from its last checkpoint, with its data')
    .option('--config <file>', 'make the run of a config.json again; other flags go before it')
    .option(
      '--base <dir>',
      'a new run from the best checkpoint of another; flags replace its settings',
    )
    .option('--new-weights', 'with --base: its settings and data, but not its weights')
    .option('--tokenizer-file <file>', 'a tokenizer.json instead of one built from the text');
  const rate = new Option(
    '--learning-rate <r>',
    'peak learning rate; auto tests a range of rates before the run',
  ).argParser(rateOption);
  const described = teacherOptions(settingsOptions(paths, rate))
    .addOption(
      new Option('--reward-mode <mode>', 'mapping from loss to reward').choices(REWARD_MODES),
    )
    .option('--report-every <n>', 'steps between validations and checkpoints', numberOption)
    .option('--memory <gib>', 'memory limit in GiB (default: free memory)', numberOption)
    .option('--profile', 'print the time of each kernel of a step at the end')
    .option('--diagnose', 'say at the end why the run does not learn, and how to mend it')
    .option('--tensorboard', 'write an event file for TensorBoard, too')
    .option('--json', 'print one line of JSON per report');
  for (const [flag, text] of Object.values(SWITCHES)) described.option(flag, text, flagOption);
  for (const [flag, text] of Object.values(NUMBER_FLAGS))
    described.option(flag, text, numberOption);
  return described;
}

/** Controls of a run, and the profile that is recorded with it. */
export interface ChosenControls {
  readonly profile: ProfileName | undefined;
  readonly controls: TrainingControls;
}

/** The controls of a new run: those given, then TRAIN_…_OVERRIDE variables, then the profile. */
export function newControls(
  options: TrainOptions,
  settings: RunSettings,
  environment: Environment,
): ChosenControls {
  const profile = options.convergenceProfile ?? DEFAULT_PROFILE;
  const filled = runControls(profile, settings);
  return { profile, controls: controlsFor(filled, givenControls(options), environment) };
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

/** A rate, or that it is to be found by a range test. */
const rateOption = (text: string): number | 'auto' => (text === 'auto' ? text : numberOption(text));

function givenControls(options: TrainOptions): Partial<TrainingControls> {
  const given = CONTROLS.filter((name) => options[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, options[name]]));
}

const REPORTS_PER_RUN = 10;
const MAX_STEPS_PER_REPORT = 100;

/**
 * Steps between reports: as asked for, else ten reports a run and one every hundred steps at least; undefined
 * for a run of minutes, whose steps nobody knows beforehand.
 */
export function reportInterval(
  { reportEvery }: TrainOptions,
  total: number | undefined,
): number | undefined {
  if (reportEvery === undefined) {
    return total && Math.min(MAX_STEPS_PER_REPORT, Math.ceil(total / REPORTS_PER_RUN));
  }
  if (Number.isSafeInteger(reportEvery) && reportEvery > 0) return reportEvery;
  throw new EngineError(
    'invalid-setting',
    `--report-every is ${reportEvery}: expected a whole number of at least 1`,
  );
}
