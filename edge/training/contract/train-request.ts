import * as z from 'zod/mini';
import { Alias } from '../../registry/contract/alias.ts';
import { ModelId } from '../../registry/contract/model.ts';
import { Version } from '../../contract/semver.ts';
import { Controls, ConvergenceProfile } from './controls.ts';
import {
  type Category,
  familiesOf,
  familyFields,
  type FamilyOf,
  MODEL_TYPES,
  type ModelType,
  startsAnew,
  takesTokenizer,
} from './family-schemas.ts';
import { exactlyOne, none, notTogether, type Rule, says } from '../../contract/schema-rules.ts';

export { Category, ModelType } from './family-schemas.ts';

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

/** Fields of any run, besides those of its family. */
const runFields = {
  batch_size: z.optional(whole(1, 65_536)),
  seed: z.optional(whole(0, Number.MAX_SAFE_INTEGER)),
} as const;

/** Steps between two reports; a tenth of the run, at most a hundred, by default. */
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
  /** Free memory of the device, in bytes; what the plan needs by default and known. */
  memory_bytes: z.optional(whole(0, Number.MAX_SAFE_INTEGER)),
  /** This trainer and no other. */
  trainer_id: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
});
export type Requirements = z.output<typeof Requirements>;

/**
 * A version of the registry to continue from, the default one where neither a version nor an alias is
 * named; its structure, vocabulary and tokenizer must match exactly.
 */
export const BaseModel = z.strictObject({
  model_id: ModelId,
  version: z.optional(Version),
  alias: z.optional(Alias),
});
export type BaseModel = z.infer<typeof BaseModel>;

/** A base model in one word: `id`, `id@version` or `id@alias`. */
export const BaseName = z.string().check(
  z.maxLength(260),
  z.refine((text) => baseNamed(text) !== undefined, 'expected id, id@version or id@alias'),
);

/** Parses a base model in one word; undefined if it is none. */
export function baseNamed(text: string): BaseModel | undefined {
  const [id, choice, ...rest] = text.split('@');
  if (rest.length > 0) return undefined;
  const isVersion = Version.safeParse(choice).success;
  const named = {
    model_id: id,
    ...(choice !== undefined && { [isVersion ? 'version' : 'alias']: choice }),
  };
  return BaseModel.safeParse(named).data;
}

const Metadata = z
  .record(z.string().check(z.minLength(1), z.maxLength(64)), z.string().check(z.maxLength(1024)))
  .check(
    says(
      { maxProperties: 32 },
      z.refine((entries) => Object.keys(entries).length <= 32, 'expected at most 32 entries'),
    ),
  );

/** Optional fields of any job, besides those of its run. */
const jobFields = {
  /** The registry's id of the result; made of category and time by default. */
  output_name: z.optional(ModelId),
  /** Of the result; the next free minor version by default. */
  model_version: z.optional(Version),
  /** Whether the result may become the default version of a model that has versions already. */
  set_default: z.prefault(z.boolean(), false),
  base_model: z.optional(BaseModel),
  /** A checkpoint below the trainer's output root: the local form of `base_model`. */
  base_model_path: z.optional(RelativePath),
  /** Where the trainer keeps a copy of the result, below its output root. */
  output_dir: z.optional(RelativePath),
  /** The learning rate at the peak of the schedule. */
  learning_rate: z.optional(positive),
  convergence_profile: z.prefault(ConvergenceProfile, 'auto'),
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

/** An older name of `output_name` in a request for one family. */
const olderName = { model_name: z.optional(ModelId) } as const;

/** The base model of a language-model request (`BaseName`); `base_model` says the same in parts. */
const baseName = { model_name: z.optional(BaseName) } as const;

type Members = Readonly<Record<string, unknown>>;

const isGivenOnce =
  (...names: readonly string[]) =>
  (body: Members) =>
    names.filter((name) => body[name] !== undefined).length <= 1;

const oneResult = { error: 'expected output_name or model_name, not both', path: ['output_name'] };
const oneBase = { error: 'expected base_model or base_model_path, not both', path: ['base_model'] };
const oneLmBase = {
  error: 'expected one of model_name, base_model and base_model_path',
  path: ['model_name'],
};

/** A tokenizer.json instead of one made of the text. */
const tokenizerPath = { tokenizer_file: z.optional(RelativePath) } as const;

/** The paths that a request of a family may give besides that of its dataset. */
const familyPaths = <Type extends ModelType>(type: Type) =>
  // The type says of each family what the description says.
  (takesTokenizer(type) ? tokenizerPath : {}) as FamilyPaths<Type>;

type FamilyPaths<Type extends ModelType> =
  FamilyOf<Type> extends { readonly takesTokenizer: true }
    ? typeof tokenizerPath
    : Readonly<Record<never, never>>;

/** Whether a request of a family may name a model to continue from. */
export const takesBase = (type: ModelType): boolean => !startsAnew(type);

const noBase = { error: 'expected none: runs of this family begin anew', path: ['base_model'] };

/** Whether a run of a family may continue from what its request names. */
const mayStartFrom =
  (type: ModelType, ...names: readonly string[]) =>
  (body: Members) =>
    takesBase(type) || names.every((name) => body[name] === undefined);

/**
 * Synthetic tones need no data set; everything else is learned from one. All families have one type, so that
 * requests of any of them can be built alike.
 */
const datasetOf = (type: ModelType) =>
  ('synthetic' in familyFields[type]
    ? { dataset_path: z.optional(RelativePath) }
    : { dataset_path: RelativePath }) as {
    readonly dataset_path: z.ZodMiniOptional<typeof RelativePath>;
  };

const hasData = ({ dataset_path: path, synthetic }: Members) =>
  path !== undefined || synthetic === true;
const basesOf = (type: ModelType, ...names: readonly string[]): Rule =>
  takesBase(type) ? {} : none(...names);
const noData = { error: 'expected a data set, or synthetic true', path: ['dataset_path'] };

/** A request for one family: its fields are those of the family, and no others. */
const trainRequest = <Type extends ModelType>(type: Type) =>
  z
    .strictObject({
      model_type: z.literal(type),
      ...datasetOf(type),
      config: z
        .strictObject({
          ...budget,
          ...familyFields[type],
          ...familyPaths(type),
          ...runFields,
          ...intervals,
        })
        .check(says(exactlyOne('epochs', 'steps', 'minutes'), z.refine(hasOneBudget, oneBudget))),
      ...jobFields,
      ...olderName,
    })
    .check(
      z.refine(
        ({ config, ...body }: Members) => hasData({ ...(config as Members), ...body }),
        noData,
      ),
      says(
        notTogether('output_name', 'model_name'),
        z.refine(isGivenOnce('output_name', 'model_name'), oneResult),
      ),
      says(
        notTogether('base_model', 'base_model_path'),
        z.refine(isGivenOnce('base_model', 'base_model_path'), oneBase),
      ),
      says(
        basesOf(type, 'base_model', 'base_model_path'),
        z.refine(mayStartFrom(type, 'base_model', 'base_model_path'), noBase),
      ),
    );

const BASES = ['model_name', 'base_model', 'base_model_path'] as const;

/** The same in the form of the language-model training server, all fields on one level. */
const categoryRequest = <C extends Category, Type extends ModelType, Named extends z.ZodMiniType>(
  category: C,
  type: Type,
  named: Named,
) =>
  z
    .strictObject({
      category: z.literal(category),
      /** One of the families of the category. */
      architecture: named,
      gpu: z.prefault(z.boolean(), false),
      ...datasetOf(type),
      ...budget,
      ...familyFields[type],
      ...familyPaths(type),
      ...runFields,
      ...intervals,
      ...jobFields,
      ...baseName,
    })
    .check(
      says(exactlyOne('epochs', 'steps', 'minutes'), z.refine(hasOneBudget, oneBudget)),
      z.refine(hasData, noData),
      says(
        notTogether('base_model', 'base_model_path'),
        z.refine(isGivenOnce(...BASES), oneLmBase),
      ),
      says(basesOf(type, ...BASES), z.refine(mayStartFrom(type, ...BASES), noBase)),
    );

const fits = (category: Category) => ({
  error: `expected an architecture that fits the category ${category}: ${familiesOf[category].join(', ')}`,
});

type RequestOf<Type extends ModelType> = ReturnType<typeof trainRequest<Type>>;
type AnyRequest = { readonly [Type in ModelType]: RequestOf<Type> }[ModelType];

/** The body of `POST /train`. */
export const TrainRequest = z.discriminatedUnion(
  'model_type',
  // Each is the request of its own family, which the type of a mapped function loses.
  MODEL_TYPES.map((type) => trainRequest(type)) as unknown as readonly [AnyRequest],
);
export type TrainRequestInput = z.input<typeof TrainRequest>;
export type TrainRequest = z.output<typeof TrainRequest>;

/** The first family of a category stands for it where a request names none. */
const categoryRequests = <C extends Category>(category: C) =>
  z.discriminatedUnion(
    'architecture',
    familiesOf[category].map((type, place) =>
      categoryRequest(
        category,
        type,
        place === 0 ? z.prefault(z.literal(type), type) : z.literal(type),
      ),
    ) as unknown as readonly [AnyCategoryRequest<C>],
    fits(category),
  );

type AnyCategoryRequest<C extends Category> = {
  readonly [Type in ModelType]: C extends FamilyOf<Type>['category']
    ? CategoryRequestOf<C, Type>
    : never;
}[ModelType];
type CategoryRequestOf<C extends Category, Type extends ModelType> = ReturnType<
  typeof categoryRequest<C, Type, z.ZodMiniPrefault<z.ZodMiniLiteral<Type>>>
>;
type AnyCategory = {
  readonly [C in Category]: ReturnType<typeof categoryRequests<C>>;
}[Category];

/** The body of `POST /train` with a category, and with an architecture that fits it. */
export const CategoryRequest = z.discriminatedUnion(
  'category',
  (Object.keys(familiesOf) as Category[]).map((category) =>
    categoryRequests(category),
  ) as unknown as readonly [AnyCategory],
);
export type CategoryRequestInput = z.input<typeof CategoryRequest>;
export type CategoryRequest = z.output<typeof CategoryRequest>;

/** Settings of a run of any family, besides its learning rate: the `config` of a `TrainRequest`. */
export type JobConfig = TrainRequest['config'];

/** Both forms of a request in one: the flat form with the fields of its model gathered. */
export function asTrainRequest(body: TrainRequest | CategoryRequest): {
  readonly modelType: ModelType;
  readonly config: JobConfig;
} {
  if (!('category' in body)) return { modelType: body.model_type, config: body.config };
  const { architecture: modelType } = body;
  const parts = [budget, familyFields[modelType], familyPaths(modelType), runFields, intervals];
  const names = parts.flatMap((part) => Object.keys(part));
  const given = Object.entries(body).filter(([name]) => names.includes(name));
  // The schema of the category has these members as the schema of the family's config has them.
  return { modelType, config: Object.fromEntries(given) as JobConfig };
}

/** A request with more of its fields filled in, in whichever form it is. */
export function withFields<Body extends TrainRequest | CategoryRequest>(
  body: Body,
  { learning_rate, ...fields }: Readonly<Record<string, string | number | boolean>>,
): Body {
  const rate = learning_rate === undefined ? {} : { learning_rate };
  if ('category' in body) return { ...body, ...fields, ...rate };
  return { ...body, config: { ...body.config, ...fields }, ...rate };
}

type GivenFields = Readonly<Record<string, string | number | boolean>>;

/** The fields of the family alone, out of a config: those that were given. */
export function familyFieldsOf(modelType: ModelType, config: JobConfig): GivenFields {
  return givenAmong(Object.keys(familyFields[modelType]), config);
}

/** All fields of a request that are chosen by default: those that were given. */
export function givenFieldsOf(body: TrainRequest | CategoryRequest): GivenFields {
  const { modelType, config } = asTrainRequest(body);
  const names = [...Object.keys(familyFields[modelType]), ...Object.keys(runFields)];
  return { ...givenAmong(names, config), ...givenAmong(['learning_rate'], body) };
}

function givenAmong(names: readonly string[], values: object): GivenFields {
  const given = Object.entries(values).filter(
    ([name, value]) => names.includes(name) && value !== undefined,
  );
  return Object.fromEntries(given) as GivenFields;
}

/** The id that a request gives its result, by either of its names. */
export const outputNameOf = (body: TrainRequest | CategoryRequest): string | undefined =>
  body.output_name ?? ('category' in body ? undefined : body.model_name);

/** The version of the registry that a request continues from, however it is named. */
export const baseModelOf = (body: TrainRequest | CategoryRequest): BaseModel | undefined =>
  body.base_model ??
  ('category' in body && body.model_name !== undefined ? baseNamed(body.model_name) : undefined);

/** The tokenizer.json that a request names; undefined where its family has none. */
export function tokenizerFileOf(body: TrainRequest | CategoryRequest): string | undefined {
  const { config } = asTrainRequest(body);
  return 'tokenizer_file' in config ? config.tokenizer_file : undefined;
}
