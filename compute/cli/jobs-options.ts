import { existsSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  type BaseModel,
  baseNamed,
  type TrainRequestInput,
} from '../../edge/training/contract/train-request.ts';
import { givenFields } from './field-flags.ts';
import type { GatewayOptions } from './gateway-access.ts';
import { numberOption } from './numbers.ts';
import { newSettings, type SettingsFlags, settingsOptions } from './settings-options.ts';

/** The command line of `jobs submit`, as commander parses it, besides the flags of the families' fields. */
export interface SubmitOptions extends GatewayOptions, SettingsFlags {
  readonly dataset?: string;
  readonly synthetic?: boolean;
  readonly validateEvery?: number;
  readonly checkpointEvery?: number;
  readonly name?: string;
  readonly setDefault?: true;
  readonly modelVersion?: string;
  readonly base?: BaseModel;
  readonly basePath?: string;
  readonly outputDir?: string;
  readonly replicas?: number;
  readonly localSteps?: number;
  readonly priority?: number;
  readonly on?: 'gpu' | 'cpu';
  readonly trainer?: string;
  readonly wait?: true;
  readonly json?: true;
}

export function submitOptions(command: Command): Command {
  const named = command.option(
    '--dataset <what>',
    'a local file or folder to upload, datasets/NAME, or a path below a trainer’s data root; none with --synthetic',
  );
  return settingsOptions(named)
    .option('--validate-every <n>', 'steps between validations', numberOption)
    .option('--checkpoint-every <n>', 'steps between checkpoints', numberOption)
    .option('--name <id>', 'model id of the result in the registry (default: category and time)')
    .option('--set-default', 'make the result the default version of an existing model')
    .option(
      '--model-version <version>',
      'version of the result (default: the next free minor version)',
    )
    .option('--base <model>', 'initialise from a model: id, id@version or id@alias', baseOption)
    .option('--base-path <dir>', 'initialise from a checkpoint below the trainer’s output root')
    .option('--output-dir <dir>', 'store a copy here, below the trainer’s output root')
    .option('--replicas <n>', 'number of trainers that train it together', numberOption)
    .option('--local-steps <n>', 'local steps between synchronisation rounds', numberOption)
    .option('--priority <n>', '0 to 100; higher goes first (default: 50)', numberOption)
    .addOption(new Option('--on <device>', 'required kind of device').choices(['gpu', 'cpu']))
    .option('--trainer <id>', 'run on this trainer only')
    .option('--wait', 'follow the job to its end, as "jobs watch" does')
    .option('--json', 'print the job as JSON');
}

function baseOption(text: string): BaseModel {
  const named = baseNamed(text);
  if (named) return named;
  throw new InvalidArgumentError(`got "${text}", expected id, id@version or id@alias.`);
}

/** Whether `--dataset` names something of this machine that has to be uploaded first. */
export function isLocalFile(dataset: string): boolean {
  return !dataset.startsWith('datasets/') && existsSync(dataset);
}

/**
 * The request that the options make: the preset's fields, then those given. Without a preset, what is left out
 * is left out here, too: the service chooses it and records why.
 */
export function requestOf(
  options: SubmitOptions,
  datasetPath: string | undefined,
): TrainRequestInput {
  const settings = newSettings(options);
  const goesOn = options.base !== undefined || options.basePath !== undefined;
  const isOpen = (name: string) =>
    options.preset === undefined && Object.hasOwn(settings.chosen ?? {}, name);
  const own = Object.entries(settings.fields).filter(([name]) => !isOpen(name));
  const { replicas, localSteps, on, trainer, validateEvery, checkpointEvery } = options;
  const { kind: _, ...budget } = settings.budget;
  const config = {
    ...budget,
    // The structure of a run that goes on is its base model's.
    ...(goesOn ? givenFields(options) : Object.fromEntries(own)),
    ...(!isOpen('batch_size') && { batch_size: settings.batch }),
    ...given({
      seed: options.seed,
      validate_every: validateEvery,
      checkpoint_every: checkpointEvery,
    }),
  };
  return {
    model_type: settings.architecture,
    // The service checks the fields against the family's schema.
    config: config as TrainRequestInput['config'],
    ...(!isOpen('learning_rate') && { learning_rate: settings.learningRate }),
    ...given({
      dataset_path: datasetPath,
      output_name: options.name,
      set_default: options.setDefault,
      output_dir: options.outputDir,
      model_version: options.modelVersion,
      base_model: options.base,
      base_model_path: options.basePath,
      convergence_profile: options.convergenceProfile,
      priority: options.priority,
      replicas,
      distributed: localSteps === undefined ? undefined : { local_steps: localSteps },
    }),
    requirements: given({ device: on, trainer_id: trainer }),
  } as TrainRequestInput;
}

/** Only the members that have a value. */
function given<T extends Record<string, unknown>>(
  members: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
