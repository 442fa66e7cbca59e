import * as z from 'zod/mini';
import { ModelId } from '../model.ts';
import { Version } from '../semver.ts';
import { Controls, ConvergenceProfile } from './controls.ts';

/** What is trained, by the family's name in a model_spec. */
export const ModelType = z.enum(['dense_chronospike']);
export type ModelType = z.infer<typeof ModelType>;

/** What a language-model training server trains. */
export const Category = z.enum(['LangText', 'Vision', 'Audio', 'MultiModal']);
export type Category = z.infer<typeof Category>;

const whole = (least: number, most: number) => z.int().check(z.gte(least), z.lte(most));
const positive = z.number().check(z.gt(0), z.lte(1e9));

/**
 * A path in forward slashes below a configured root, or the name of a platform dataset as
 * `datasets/<name>`. What leaves its root is refused as `unsafe_path` before this is asked.
 */
export const RelativePath = z.string().check(z.minLength(1), z.maxLength(512));

/** How long to train: one of them. */
const budget = {
  epochs: z.optional(positive),
  steps: z.optional(whole(1, 1e9)),
  minutes: z.optional(positive),
} as const;

const hasOneBudget = ({ epochs, steps, minutes }: Partial<Record<keyof typeof budget, unknown>>) =>
  [epochs, steps, minutes].filter((given) => given !== undefined).length === 1;
const oneBudget = { error: 'expected one of epochs, steps and minutes', path: ['epochs'] };

/** The fields of a text model; their defaults are the Small preset. Presets fill fields in the clients. */
const textFields = {
  d_model: z.prefault(whole(1, 8192), 128),
  n_heads: z.prefault(whole(1, 256), 4),
  num_blocks: z.prefault(whole(1, 256), 4),
  time_steps: z.prefault(whole(1, 64), 4),
  neuron_type: z.prefault(z.enum(['LIF']), 'LIF'),
  seq_len: z.prefault(whole(2, 65_536), 64),
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
  .check(z.refine((entries) => Object.keys(entries).length <= 32, 'expected at most 32 entries'));

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

/** The body of `POST /train`. */
export const TrainRequest = z
  .strictObject({
    model_type: ModelType,
    dataset_path: RelativePath,
    config: z
      .strictObject({ ...budget, ...textFields, ...intervals })
      .check(z.refine(hasOneBudget, oneBudget)),
    learning_rate: z.prefault(positive, 1e-4),
    ...jobFields,
  })
  .check(z.refine(isOneBase, oneBase));
export type TrainRequestInput = z.input<typeof TrainRequest>;
export type TrainRequest = z.output<typeof TrainRequest>;

/** The same request in the form of the language-model training server: `POST /train` with a category. */
export const LangTextRequest = z
  .strictObject({
    category: z.literal('LangText'),
    gpu: z.prefault(z.boolean(), false),
    dataset_path: RelativePath,
    learning_rate: z.prefault(positive, 1e-4),
    ...budget,
    ...textFields,
    ...intervals,
    ...jobFields,
  })
  .check(z.refine(hasOneBudget, oneBudget), z.refine(isOneBase, oneBase));
export type LangTextRequestInput = z.input<typeof LangTextRequest>;
export type LangTextRequest = z.output<typeof LangTextRequest>;
