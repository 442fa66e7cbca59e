import { existsSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { ConvergenceProfile } from '../../edge/contract/training/controls.ts';
import type { TrainRequestInput } from '../../edge/contract/training/train-request.ts';
import { type PresetName, presets } from '../../engine/index.ts';
import type { GatewayOptions } from './gateway-access.ts';
import { numberOption } from './numbers.ts';

/** The command line of `jobs submit`, as commander parses it. */
export interface SubmitOptions extends GatewayOptions {
  readonly dataset: string;
  readonly preset: PresetName;
  readonly dModel?: number;
  readonly heads?: number;
  readonly blocks?: number;
  readonly timeSteps?: number;
  readonly seqLen?: number;
  readonly batchSize?: number;
  readonly learningRate?: number;
  readonly seed?: number;
  readonly steps?: number;
  readonly epochs?: number;
  readonly minutes?: number;
  readonly validateEvery?: number;
  readonly checkpointEvery?: number;
  readonly convergenceProfile?: ConvergenceProfile;
  readonly name?: string;
  readonly modelVersion?: string;
  readonly base?: { readonly model_id: string; readonly version?: string };
  readonly replicas?: number;
  readonly localSteps?: number;
  readonly priority?: number;
  readonly on?: 'gpu' | 'cpu';
  readonly trainer?: string;
  readonly wait?: true;
  readonly json?: true;
}

const DEFAULT_STEPS = 300;

export function submitOptions(command: Command): Command {
  return command
    .requiredOption(
      '--dataset <what>',
      'a file here, which is uploaded; datasets/NAME; or a path below a trainer’s data root',
    )
    .addOption(
      new Option('--preset <name>', 'fills the fields below')
        .choices(Object.keys(presets))
        .default('tiny'),
    )
    .option('--d-model <n>', 'width of the model', numberOption)
    .option('--heads <n>', 'attention heads', numberOption)
    .option('--blocks <n>', 'blocks', numberOption)
    .option('--time-steps <n>', 'time steps of the neurons in each token', numberOption)
    .option('--seq-len <n>', 'characters of a sequence', numberOption)
    .option('--batch-size <n>', 'sequences of a step', numberOption)
    .option('--learning-rate <r>', 'peak of the schedule', numberOption)
    .option('--seed <n>', 'the same seed gives the same run', numberOption)
    .option('--steps <n>', `train so many steps (default: ${DEFAULT_STEPS})`, numberOption)
    .option('--epochs <n>', 'train so many passes over the text', numberOption)
    .option('--minutes <n>', 'train so long', numberOption)
    .option('--validate-every <n>', 'steps between validations', numberOption)
    .option('--checkpoint-every <n>', 'steps between checkpoints', numberOption)
    .addOption(
      new Option('--convergence-profile <name>', 'controls of the optimiser').choices(
        ConvergenceProfile.options,
      ),
    )
    .option('--name <id>', 'the id of the model in the registry')
    .option('--model-version <version>', 'of the result (default: the next free minor version)')
    .option('--base <model>', 'go on from a model: id or id@version', baseOption)
    .option('--replicas <n>', 'trainers that train it together', numberOption)
    .option('--local-steps <n>', 'steps between two rounds of these', numberOption)
    .option('--priority <n>', '0 to 100; higher goes first (default: 50)', numberOption)
    .addOption(new Option('--on <device>', 'only on such a device').choices(['gpu', 'cpu']))
    .option('--trainer <id>', 'on this trainer and no other')
    .option('--wait', 'follow it to its end, as "jobs watch" does')
    .option('--json', 'print the job as JSON');
}

function baseOption(text: string): NonNullable<SubmitOptions['base']> {
  const [model_id = '', version] = text.split('@');
  if (model_id !== '') return version === undefined ? { model_id } : { model_id, version };
  throw new InvalidArgumentError(`got "${text}", expected an id or id@version.`);
}

/** Whether `--dataset` names a file of this machine that has to be uploaded first. */
export function isLocalFile(dataset: string): boolean {
  return !dataset.startsWith('datasets/') && existsSync(dataset);
}

/** The request that the options make: the preset's fields, then those given. */
export function requestOf(options: SubmitOptions, datasetPath: string): TrainRequestInput {
  const preset = presets[options.preset];
  const { replicas, localSteps, on, trainer } = options;
  return {
    model_type: 'dense_chronospike',
    dataset_path: datasetPath,
    config: configOf(options),
    learning_rate: options.learningRate ?? preset.learningRate,
    ...given({
      model_name: options.name,
      model_version: options.modelVersion,
      base_model: options.base,
      convergence_profile: options.convergenceProfile,
      priority: options.priority,
      replicas,
      distributed: localSteps === undefined ? undefined : { local_steps: localSteps },
    }),
    requirements: given({ device: on, trainer_id: trainer }),
  };
}

function configOf(options: SubmitOptions): TrainRequestInput['config'] {
  const preset = presets[options.preset];
  const { steps, epochs, minutes, validateEvery, checkpointEvery } = options;
  const budget = given({ steps, epochs, minutes });
  return {
    ...(Object.keys(budget).length > 0 ? budget : { steps: DEFAULT_STEPS }),
    d_model: options.dModel ?? preset.width,
    n_heads: options.heads ?? preset.heads,
    num_blocks: options.blocks ?? preset.blocks,
    time_steps: options.timeSteps ?? preset.steps,
    seq_len: options.seqLen ?? preset.sequence,
    batch_size: options.batchSize ?? preset.batch,
    ...given({
      seed: options.seed,
      validate_every: validateEvery,
      checkpoint_every: checkpointEvery,
    }),
  };
}

/** Only the members that have a value. */
function given<T extends Record<string, unknown>>(
  members: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
