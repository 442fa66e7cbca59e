import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod/mini';
import {
  ARCHITECTURES,
  type Backend,
  EngineError,
  parseJson,
  PROFILE_NAMES,
  REWARD_MODES,
  type RunSettings,
  type TrainingControls,
} from '../../engine/index.ts';
import { CONFIG, jsonText, writeWhole } from '../runs/run-files.ts';
import type { RunRecord } from '../runs/run-record.ts';
import { flagsOfFields } from './field-flags.ts';
import type { TrainOptions } from './train-options.ts';

/** The `format` of the config.json of a run of `train`. */
const TRAIN_FORMAT = 'spikegrid.train';

const Controls = z.strictObject({
  warmup: z.number(),
  decayStart: z.number(),
  finalRate: z.number(),
  gradClipNorm: z.number(),
  weightDecay: z.number(),
  beta1: z.number(),
  beta2: z.number(),
  epsilon: z.number(),
  /** Runs of before 2026-11-23 lack it. */
  average: z.prefault(z.number(), 0),
  rewardMode: z.enum(REWARD_MODES),
  rewardClipValue: z.number(),
  energyGating: z.boolean(),
  relaxation: z.number(),
});

const Budget = z.union([
  z.strictObject({ kind: z.literal('steps'), steps: z.number() }),
  z.strictObject({ kind: z.literal('epochs'), epochs: z.number() }),
  z.strictObject({ kind: z.literal('minutes'), minutes: z.number() }),
]);

/** Everything that a run of `train` depends on, chosen values among it, so that it can be made again. */
const TrainConfig = z.strictObject({
  format: z.literal(TRAIN_FORMAT),
  version: z.literal(1),
  /** For people; `--config` reads the rest. */
  command: z.string(),
  dataset: z.optional(z.string()),
  /** The run that it began from. */
  parent: z.optional(z.string()),
  tokenizer_file: z.optional(z.string()),
  architecture: z.enum(ARCHITECTURES),
  fields: z.record(z.string(), z.union([z.number(), z.string(), z.boolean()])),
  batch_size: z.number(),
  learning_rate: z.number(),
  seed: z.number(),
  budget: Budget,
  convergence_profile: z.optional(z.enum(PROFILE_NAMES)),
  controls: Controls,
  report_every: z.optional(z.number()),
  device: z.strictObject({
    device: z.string(),
    threads: z.optional(z.number()),
    f16: z.optional(z.boolean()),
    deterministic: z.optional(z.boolean()),
  }),
  distillation: z.optional(
    z.strictObject({ teacher: z.string(), weight: z.number(), temperature: z.number() }),
  ),
  /** Where it was resumed: from that step on with that budget. */
  resumed: z.optional(z.array(z.strictObject({ step: z.number(), budget: Budget }))),
});
export type TrainConfig = z.infer<typeof TrainConfig>;

interface Trained {
  readonly options: TrainOptions;
  readonly settings: RunSettings;
  readonly controls: TrainingControls;
  readonly profile: TrainConfig['convergence_profile'];
  readonly place: RunRecord;
  readonly backend: Backend;
  readonly distillation: { readonly weight: number; readonly temperature: number } | undefined;
  readonly reportEvery: number | undefined;
}

/** The config of a run that begins. */
export function trainConfig(run: Trained): TrainConfig {
  const { options, settings, controls, profile, place, backend, distillation, reportEvery } = run;
  const { teacher } = place;
  const { threads, f16, deterministic, tokenizerFile } = options;
  return {
    format: TRAIN_FORMAT,
    version: 1,
    command: commandLine(),
    ...pathsOf(place, tokenizerFile),
    architecture: settings.architecture as TrainConfig['architecture'],
    fields: { ...settings.fields },
    batch_size: settings.batch,
    learning_rate: settings.learningRate,
    seed: settings.seed,
    budget: settings.budget,
    ...(profile && { convergence_profile: profile }),
    controls,
    ...(reportEvery !== undefined && { report_every: reportEvery }),
    device: {
      device: backend.device.backend,
      ...(threads !== undefined && { threads }),
      ...(f16 && { f16 }),
      ...(deterministic && { deterministic }),
    },
    ...(distillation &&
      teacher !== undefined && {
        distillation: {
          teacher: resolve(teacher),
          weight: distillation.weight,
          temperature: distillation.temperature,
        },
      }),
  };
}

function pathsOf({ dataset, parent }: RunRecord, tokenizerFile: string | undefined) {
  return {
    ...(dataset !== undefined && { dataset: resolve(dataset) }),
    ...(parent !== undefined && { parent }),
    ...(tokenizerFile !== undefined && { tokenizer_file: resolve(tokenizerFile) }),
  };
}

/**
 * Writes the config of a run that begins. One that resumes has its own from then, and is noted there with the step it
 * resumes from; a run from before there were any gets the one of this command.
 */
export async function keepConfig(
  folder: string,
  from: number | undefined,
  config: TrainConfig,
): Promise<void> {
  const path = join(folder, CONFIG);
  const isKept = from !== undefined && existsSync(path);
  const first = isKept ? await readTrainConfig(path) : config;
  const resumed = from === undefined ? [] : [{ step: from, budget: config.budget }];
  const noted = { ...first, resumed: [...(first.resumed ?? []), ...resumed] };
  await writeWhole(path, jsonText(noted.resumed.length > 0 ? noted : first));
}

/** The command as it was typed, without what stands before `train`. */
const commandLine = (): string =>
  ['spikegrid', ...process.argv.slice(2)]
    .map((part) => (/^[\w@%+=:,./-]+$/.test(part) ? part : `'${part.replaceAll("'", `'\\''`)}'`))
    .join(' ');

/**
 * Reads the config of an earlier run. Throws what `fs` throws, and EngineError `invalid-setting` for a file of
 * something else, which names the first value that is not as expected.
 */
export async function readTrainConfig(path: string): Promise<TrainConfig> {
  const read = asJson(await readFile(path, 'utf8')) as { readonly format?: unknown } | null;
  if (read?.format === 'spikegrid.fit') {
    refuse(`${path} is of a program that calls fit, which has its data: run that program again`);
  }
  if (read?.format !== TRAIN_FORMAT) {
    refuse(`${path} is no config of a run: expected config.json of a folder that train wrote`);
  }
  const { success, data, error } = TrainConfig.safeParse(read);
  if (success) return data;
  const [issue] = error.issues;
  return refuse(
    `${path}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'it cannot be read'}`,
  );
}

/** Null of text that is no JSON. */
function asJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

/** Values that belong together with the fields: another of them would mean another network. */
const FIXED = { architecture: '--architecture', preset: '--preset', resume: '--resume' } as const;
const BUDGETS = ['steps', 'epochs', 'minutes'] as const;

/** The options of a run that is made again: those of its config, and in place of them what the command line gives. */
export function configuredOptions(
  options: TrainOptions,
  command: Command,
  config: TrainConfig,
): TrainOptions {
  const given = Object.fromEntries(
    Object.entries(options).filter(([name]) => command.getOptionValueSource(name) !== 'default'),
  ) as Partial<TrainOptions>;
  for (const [name, flag] of Object.entries(FIXED)) {
    if (given[name as keyof typeof FIXED] !== undefined) {
      refuse(`${flag} was given beside --config: expected one of them`);
    }
  }
  const isOtherBudget = BUDGETS.some((name) => given[name] !== undefined);
  return {
    ...(given.device === undefined && config.device),
    ...(!isOtherBudget && budgetOptions(config)),
    ...optionsOf(config),
    ...given,
  } as TrainOptions;
}

/** Reports come as often as before, as they split the steps that are queued at once. */
function budgetOptions({ budget, report_every }: TrainConfig): Partial<TrainOptions> {
  const every = report_every !== undefined && { reportEvery: report_every };
  if (budget.kind === 'steps') return { steps: budget.steps, ...every };
  if (budget.kind === 'epochs') return { epochs: budget.epochs, ...every };
  return { minutes: budget.minutes, ...every };
}

/** A config as the command line would give it. */
function optionsOf(config: TrainConfig): Partial<TrainOptions> {
  const { dataset, tokenizer_file, convergence_profile, distillation } = config;
  return {
    ...flagsOfFields(config.fields),
    ...config.controls,
    architecture: config.architecture,
    batchSize: config.batch_size,
    learningRate: config.learning_rate,
    seed: config.seed,
    ...(dataset !== undefined && { dataset }),
    ...(tokenizer_file !== undefined && { tokenizerFile: tokenizer_file }),
    ...(convergence_profile && { convergenceProfile: convergence_profile }),
    ...(distillation && {
      teacher: distillation.teacher,
      distillWeight: distillation.weight,
      temperature: distillation.temperature,
    }),
  };
}

function refuse(message: string): never {
  throw new EngineError('invalid-setting', message);
}
