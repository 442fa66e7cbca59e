import { type Command, Option } from 'commander';
import {
  type Architecture,
  ARCHITECTURES,
  type Budget,
  chooseSettings,
  DEFAULT_MINUTES,
  EngineError,
  familyDescriptions,
  initialFields,
  PRESET_NAMES,
  type PresetName,
  PROFILE_NAMES,
  type ProfileName,
  type RunSettings,
} from '../../engine/index.ts';
import { fieldFlags, givenFields } from './field-flags.ts';
import { numberOption } from './numbers.ts';

/** The flags that choose what is trained and for how long, as commander parses them, besides the fields. */
export interface SettingsFlags {
  readonly architecture?: Architecture;
  readonly preset?: PresetName;
  readonly convergenceProfile?: ProfileName;
  readonly batchSize?: number;
  /** `auto` of a run that tests rates. */
  readonly learningRate?: number | 'auto';
  readonly steps?: number;
  readonly epochs?: number;
  readonly minutes?: number;
  readonly seed?: number;
}

const DEFAULT_ARCHITECTURE: Architecture = 'dense_chronospike';

/** @param rate the option of the learning rate: a number by default */
export function settingsOptions(
  command: Command,
  rate: Option = new Option('--learning-rate <r>', 'peak learning rate').argParser(numberOption),
): Command {
  const described = command
    .addOption(
      new Option(
        '--architecture <name>',
        `the model family (default: ${DEFAULT_ARCHITECTURE})`,
      ).choices(ARCHITECTURES),
    )
    .addOption(
      new Option(
        '--preset <name>',
        'defaults of the options below (default: auto, the measured recipe for data, budget and device)',
      ).choices(PRESET_NAMES),
    )
    .addOption(
      new Option(
        '--convergence-profile <name>',
        'settings of optimiser and schedule (default: auto)',
      ).choices(PROFILE_NAMES),
    );
  return fieldFlags(described)
    .option('--batch-size <n>', 'sequences or examples per step', numberOption)
    .addOption(rate)
    .option('--steps <n>', 'number of training steps', numberOption)
    .option('--epochs <n>', 'number of passes over the data', numberOption)
    .option('--minutes <n>', `train so long (default: ${DEFAULT_MINUTES})`, numberOption)
    .option('--seed <n>', 'random seed; the same seed gives the same run', numberOption);
}

/** The settings of a new run: what is given, and for the rest what the recipe says. */
export function newSettings(options: SettingsFlags): RunSettings {
  const { architecture = DEFAULT_ARCHITECTURE, preset = 'auto', learningRate } = options;
  const { presets } = familyDescriptions[architecture];
  const isNamed = preset !== 'auto';
  return chooseSettings({
    architecture,
    fields: givenFields(options),
    batch: options.batchSize,
    learningRate: learningRate === 'auto' ? undefined : learningRate,
    profile: options.convergenceProfile,
    preset: options.preset,
    taken: isNamed
      ? { name: preset, recipe: presets[preset], why: 'its preset was named' }
      : undefined,
    seed: options.seed,
    budget: budgetOf(options) ?? { kind: 'minutes', minutes: DEFAULT_MINUTES },
  });
}

/**
 * The settings of a run that goes on: its own, and a new budget where one is given. Throws
 * EngineError `checkpoint-mismatch` for anything else that is given and differs.
 */
export function resumedSettings(options: SettingsFlags, held: RunSettings): RunSettings {
  const preset = options.preset && familyDescriptions[held.architecture].presets[options.preset];
  const wanted = {
    architecture: options.architecture,
    ...(preset && {
      ...preset.fields,
      batch_size: preset.batch,
      learning_rate: preset.learningRate,
    }),
    ...givenFields(options),
    ...(options.batchSize !== undefined && { batch_size: options.batchSize }),
    ...(options.learningRate !== undefined && { learning_rate: options.learningRate }),
    ...(options.seed !== undefined && { seed: options.seed }),
  };
  const own: Readonly<Record<string, unknown>> = {
    architecture: held.architecture,
    ...initialFields(familyDescriptions[held.architecture].fields),
    ...held.fields,
    batch_size: held.batch,
    learning_rate: held.learningRate,
    seed: held.seed,
  };
  refuseChanges(Object.entries(wanted).map(([name, value]) => [name, own[name], value]));
  return { ...held, budget: budgetOf(options) ?? held.budget };
}

type Change = readonly [name: string, held: unknown, given: unknown];

/** Throws EngineError `checkpoint-mismatch` that names all that is given and differs from what is held. */
export function refuseChanges(changes: readonly Change[]): void {
  const mismatches = changes.flatMap(([name, held, given]) => {
    if (given === undefined || given === held) return [];
    return [`${name} is ${String(held)} in the checkpoint but ${String(given)} was given`];
  });
  if (mismatches.length > 0) throw new EngineError('checkpoint-mismatch', mismatches.join('; '));
}

/** Throws EngineError `invalid-setting` where more than one budget is given. */
function budgetOf({ steps, epochs, minutes }: SettingsFlags): Budget | undefined {
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
