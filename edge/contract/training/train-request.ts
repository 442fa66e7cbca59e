import * as z from 'zod/mini';
import { ModelId } from '../model.ts';
import { Version } from '../semver.ts';
import { Controls, ConvergenceProfile } from './controls.ts';
import { familyFields, familyOfCategory, type ModelType } from './family-fields.ts';
import { exactlyOne, none, notTogether, type Rule, says } from '../schema-rules.ts';

export { Category, ModelType } from './family-fields.ts';

const whole = (least: number, most: number) => z.int().check(z.gte(least), z.lte(most));
const positive = z.number().check(z.gt(0), z.lte(1e9));

/** No other root, no `.` or `..` segment, no backslash, no control character and nothing encoded. */
const BELOW_ROOT =
  // oxlint-disable-next-line no-control-regex -- those are what it refuses
  /^(?![~/])(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*\/)?\.{1,2}(?:\/|$))(?:[^\\%\u0000-\u001f\u007f]|%(?![0-9A-Fa-f]{2}))+$/;

/**
 * A path in forward slashes below a configured root, or the name of a platform dataset as
 * `datasets/<name>`. What leaves its root is refused as `unsafe_path` before this is asked.
 */
export const RelativePath = z
  .string()
  .check(says({ pattern: BELOW_ROOT }, z.minLength(1)), z.maxLength(512));

/** How long to train: one of them. */
const budget = {
  epochs: z.optional(positive),
  steps: z.optional(whole(1, 1e9)),
  minutes: z.optional(positive),
} as const;

const hasOneBudget = ({ epochs, steps, minutes }: Partial<Record<keyof typeof budget, unknown>>) =>
  [epochs, steps, minutes].filter((given) => given !== undefined).length === 1;
const oneBudget = { error: 'expected one of epochs, steps and minutes', path: ['epochs'] };

/** What any run has besides the fields of its family. */
const runFields = {
  batch_size: z.prefault(whole(1, 65_536), 16),
  seed: z.prefault(whole(0, Number.MAX_SAFE_INTEGER), 1),
} as const;

/** Steps between two reports; a tenth of the run, at most a hundred, where they are left out. */
const intervals = {
  validate_every: z.optional(whole(1, 1e9)),
  checkpoint_every: z.optional(whole(1, 1e9)),
} as const;

/** Training on several trainers at once: local steps, then parameters averaged (DiLoCo). */
export const Distributed = z.strictObject({
  /** Steps between two rounds. */
  local_steps: z.prefault(whole(1, 10_000), 50),
  outer_learning_rate: z.prefault(z.number().check(z.gt(0), z.lte(10)), 1),
  outer_momentum: z.prefault(z.number().check(z.gte(0), z.lt(1)), 0.5),
  /** How the deltas travel. */
  quantisation: z.prefault(z.enum(['int8', 'none']), 'int8'),
  /** A round is closed without the members that are later than this after the first. */
  straggler_timeout_s: z.prefault(whole(1, 3600), 30),
});
export type Distributed = z.output<typeof Distributed>;

/** Which trainers may take a job. */
export const Requirements = z.strictObject({
  device: z.optional(z.enum(['gpu', 'cpu'])),
  kind: z.optional(z.enum(['node', 'tab'])),
  region_id: z.optional(z.string().check(z.minLength(1), z.maxLength(63))),
  /** Free memory of the device, in bytes; what the plan needs where it is left out and known. */
  memory_bytes: z.optional(whole(0, Number.MAX_SAFE_INTEGER)),
  /** This trainer and no other. */
  trainer_id: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
});
export type Requirements = z.output<typeof Requirements>;

/** A version of the registry to go on from; its structure, vocabulary and tokenizer must match exactly. */
export const BaseModel = z.strictObject({ model_id: ModelId, version: z.optional(Version) });
export type BaseModel = z.infer<typeof BaseModel>;

const Metadata = z
  .record(z.string().check(z.minLength(1), z.maxLength(64)), z.string().check(z.maxLength(1024)))
  .check(
    says(
      { maxProperties: 32 },
      z.refine((entries) => Object.keys(entries).length <= 32, 'expected at most 32 entries'),
    ),
  );

/** What any job may say besides what it trains. */
const jobFields = {
  /** The registry's id of the result; made of the kind of model where it is left out. */
  model_name: z.optional(ModelId),
  /** Of the result; the next free minor version where it is left out. */
  model_version: z.optional(Version),
  base_model: z.optional(BaseModel),
  /** A checkpoint below the trainer's output root: the local form of `base_model`. */
  base_model_path: z.optional(RelativePath),
  /** Where the trainer keeps a copy of the result, below its output root. */
  output_dir: z.optional(RelativePath),
  convergence_profile: z.prefault(ConvergenceProfile, 'stable_baseline'),
  controls: z.prefault(Controls, {}),
  /** Higher goes first. */
  priority: z.prefault(whole(0, 100), 50),
  /** How often a job may be begun anew after a trainer was lost. */
  max_recoveries: z.prefault(whole(0, 10), 3),
  replicas: z.prefault(whole(1, 64), 1),
  distributed: z.optional(Distributed),
  requirements: z.prefault(Requirements, {}),
  metadata: z.prefault(Metadata, {}),
} as const;

const isOneBase = ({ base_model: a, base_model_path: b }: Record<string, unknown>) =>
  a === undefined || b === undefined;
const oneBase = { error: 'expected base_model or base_model_path, not both', path: ['base_model'] };

/** A tokenizer.json instead of one made of the text. */
const tokenizerPath = { tokenizer_file: z.optional(RelativePath) } as const;

/** What a request of a family may name of the trainer's files besides the dataset, in the same way. */
const familyPaths = {
  dense_chronospike: tokenizerPath,
  standard_transformer: {},
  sparse_event_memory: tokenizerPath,
  spiking_multimodal: {},
  spiking_vision: {},
  spiking_audio: {},
  memoried_spikenetlm: {},
} as const satisfies Record<ModelType, unknown>;

/** Runs of these begin anew, whatever they are asked (rule 11). */
const BEGINNERS: readonly ModelType[] = ['spiking_multimodal', 'memoried_spikenetlm'];

/** Whether a request of a family may name a model to go on from. */
export const takesBase = (type: ModelType): boolean => !BEGINNERS.includes(type);

/** Whether a run of a family may go on from what its request names. */
const mayStartFrom =
  (type: ModelType) =>
  ({ base_model: a, base_model_path: b }: Record<string, unknown>) =>
    takesBase(type) || (a === undefined && b === undefined);
const basesOf = (type: ModelType): Rule =>
  takesBase(type) ? {} : none('base_model', 'base_model_path');
const noBase = { error: 'expected none: runs of this family begin anew', path: ['base_model'] };

/** A request for one family: its fields are those of the family, and no others. */
const trainRequest = <Type extends ModelType>(type: Type) =>
  z
    .strictObject({
      model_type: z.literal(type),
      dataset_path: RelativePath,
      config: z
        .strictObject({
          ...budget,
          ...familyFields[type],
          ...familyPaths[type],
          ...runFields,
          ...intervals,
        })
        .check(says(exactlyOne('epochs', 'steps', 'minutes'), z.refine(hasOneBudget, oneBudget))),
      learning_rate: z.prefault(positive, 1e-4),
      ...jobFields,
    })
    .check(
      says(notTogether('base_model', 'base_model_path'), z.refine(isOneBase, oneBase)),
      says(basesOf(type), z.refine(mayStartFrom(type), noBase)),
    );

/** The same in the form of the language-model training server, all fields on one level. */
const categoryRequest = <C extends keyof typeof familyOfCategory>(category: C) =>
  z
    .strictObject({
      category: z.literal(category),
      gpu: z.prefault(z.boolean(), false),
      dataset_path: RelativePath,
      learning_rate: z.prefault(positive, 1e-4),
      ...budget,
      ...familyFields[familyOfCategory[category]],
      ...familyPaths[familyOfCategory[category]],
      ...runFields,
      ...intervals,
      ...jobFields,
    })
    .check(
      says(exactlyOne('epochs', 'steps', 'minutes'), z.refine(hasOneBudget, oneBudget)),
      says(notTogether('base_model', 'base_model_path'), z.refine(isOneBase, oneBase)),
      says(
        basesOf(familyOfCategory[category]),
        z.refine(mayStartFrom(familyOfCategory[category]), noBase),
      ),
    );

/** The body of `POST /train`. */
export const TrainRequest = z.discriminatedUnion('model_type', [
  trainRequest('dense_chronospike'),
  trainRequest('standard_transformer'),
  trainRequest('sparse_event_memory'),
  trainRequest('spiking_multimodal'),
  trainRequest('spiking_vision'),
  trainRequest('spiking_audio'),
  trainRequest('memoried_spikenetlm'),
]);
export type TrainRequestInput = z.input<typeof TrainRequest>;
export type TrainRequest = z.output<typeof TrainRequest>;

/** The body of `POST /train` with a category. */
export const CategoryRequest = z.discriminatedUnion('category', [
  categoryRequest('LangText'),
  categoryRequest('MultiModal'),
  categoryRequest('Vision'),
  categoryRequest('Audio'),
]);
export type CategoryRequestInput = z.input<typeof CategoryRequest>;
export type CategoryRequest = z.output<typeof CategoryRequest>;

/** What a run of any family is asked for, besides its learning rate: the `config` of a `TrainRequest`. */
export type JobConfig = TrainRequest['config'];

/** Both forms of a request in one: the flat form with the fields of its model gathered. */
export function asTrainRequest(body: TrainRequest | CategoryRequest): {
  readonly modelType: ModelType;
  readonly config: JobConfig;
} {
  if (!('category' in body)) return { modelType: body.model_type, config: body.config };
  const modelType = familyOfCategory[body.category];
  const parts = [budget, familyFields[modelType], familyPaths[modelType], runFields, intervals];
  const names = parts.flatMap((part) => Object.keys(part));
  const given = Object.entries(body).filter(([name]) => names.includes(name));
  // The schema of the category has these members as the schema of the family's config has them.
  return { modelType, config: Object.fromEntries(given) as JobConfig };
}

/** The fields of the family alone, out of a config. */
export function familyFieldsOf(
  modelType: ModelType,
  config: JobConfig,
): Readonly<Record<string, string | number | boolean>> {
  const names = Object.keys(familyFields[modelType]);
  const given = Object.entries(config).filter(([name]) => names.includes(name));
  // Every field of a family has a value, as each has a first one.
  return Object.fromEntries(given) as Readonly<Record<string, string | number | boolean>>;
}

/** The tokenizer.json that a request names; undefined where its family has none. */
export function tokenizerFileOf(body: TrainRequest | CategoryRequest): string | undefined {
  const { config } = asTrainRequest(body);
  return 'tokenizer_file' in config ? config.tokenizer_file : undefined;
}
