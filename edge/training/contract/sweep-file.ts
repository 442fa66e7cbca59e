import * as z from 'zod/mini';
import { ModelId } from '../../registry/contract/model.ts';
import { ConvergenceProfile } from './controls.ts';
import { Method, Metric } from './sweep.ts';
import { BaseName, ModelType, RelativePath, Requirements } from './train-request.ts';

const whole = (least: number, most: number) => z.int().check(z.gte(least), z.lte(most));

/** Runs of one sweep. */
export const MAX_RUNS = 1000;

/** The value of a field of a run. */
const Value = z.union([z.number(), z.boolean(), z.string().check(z.maxLength(256))]);
export type Value = z.infer<typeof Value>;

/** Values between two ends; `points` are those of a grid. */
const Range = z
  .strictObject({
    from: z.number(),
    to: z.number(),
    /** Equal differences, or equal ratios. */
    scale: z.prefault(z.enum(['linear', 'log']), 'linear'),
    whole: z.prefault(z.boolean(), false),
    points: z.optional(whole(2, 100)),
  })
  .check(
    z.refine(({ from, to }) => from < to, { error: 'expected more than from', path: ['to'] }),
    z.refine(({ scale, from }) => scale === 'linear' || from > 0, {
      error: 'expected a number above 0 on a scale that is log',
      path: ['from'],
    }),
    z.refine(
      ({ whole: isWhole, from, to }) =>
        !isWhole || (Number.isInteger(from) && Number.isInteger(to)),
      { error: 'expected whole ends where whole is true', path: ['whole'] },
    ),
  );
export type Range = z.output<typeof Range>;

/** A searched field: a list of values, or a range. */
const Axis = z.union([z.array(Value).check(z.minLength(1), z.maxLength(100)), Range]);
export type Axis = z.output<typeof Axis>;

const FieldName = z
  .string()
  .check(
    z.regex(
      /^(?:controls\.)?[a-z][a-z0-9_]{0,63}$/,
      'expected the name of a field such as d_model, learning_rate or controls.weight_decay',
    ),
  );

/** How long a run trains: one of them. */
const Budget = z
  .strictObject({
    steps: z.optional(whole(1, 1e9)),
    epochs: z.optional(z.number().check(z.gt(0), z.lte(1e9))),
    minutes: z.optional(z.number().check(z.gt(0), z.lte(1e9))),
  })
  .check(
    z.refine(
      (budget) => Object.keys(budget).length === 1,
      'expected one of steps, epochs, minutes',
    ),
  );

const hasBudget = (fields: object) => ['steps', 'epochs', 'minutes'].some((name) => name in fields);

/** Successive halving: of the runs of each rung, the best in `eta` go on to the next one. */
const Halving = z.strictObject({
  /** Steps of the first rung. */
  first_steps: whole(1, 1e9),
  /** Each rung has so many times the steps of the one before. */
  eta: z.prefault(whole(2, 10), 3),
});

/** The file that `spikegrid sweep` reads. */
export const SweepFile = z
  .strictObject({
    /** Of the jobs and their models. */
    name: z
      .string()
      .check(
        z.regex(
          /^[a-z0-9][a-z0-9._-]{0,63}$/,
          'expected 1 to 64 of a-z 0-9 . _ - and a letter or digit first',
        ),
      ),
    model_type: ModelType,
    /** A file or folder beside the sweep's own, `datasets/NAME`, or a path below a trainer's data root. */
    dataset: z.optional(z.string().check(z.minLength(1), z.maxLength(1024))),
    method: Method,
    metric: z.prefault(Metric, 'valid_loss'),
    budget: Budget,
    asha: z.optional(Halving),
    /** How many runs are drawn; a grid has as many as its values make. */
    runs: z.optional(whole(1, MAX_RUNS)),
    /** Jobs in the queue or with trainers at a time. */
    parallel: z.prefault(whole(1, 64), 4),
    seed: z.prefault(whole(0, Number.MAX_SAFE_INTEGER), 0),
    /** Fields that are the same in all runs; what is left out the platform chooses. */
    fixed: z.prefault(z.record(FieldName, Value), {}),
    search: z.record(FieldName, Axis).check(
      z.refine((axes) => Object.keys(axes).length > 0, 'expected at least one field'),
      z.refine((axes) => Object.keys(axes).length <= 16, 'expected at most 16 fields'),
    ),
    /** A registered model that all runs start from: `id`, `id@version` or `id@alias`. */
    base_model: z.optional(BaseName),
    tokenizer_file: z.optional(RelativePath),
    convergence_profile: z.optional(ConvergenceProfile),
    requirements: z.prefault(Requirements, {}),
    /** The registry's id of the best run; the sweep's name by default. */
    output: z.optional(ModelId),
  })
  .check(
    z.refine(({ method, runs }) => (method === 'grid') === (runs === undefined), {
      error: 'expected for random and asha, and not for grid',
      path: ['runs'],
    }),
    z.refine(({ method, asha }) => (method === 'asha') === (asha !== undefined), {
      error: 'expected for the method asha, and for no other',
      path: ['asha'],
    }),
    z.refine(({ method, budget }) => method !== 'asha' || budget.steps !== undefined, {
      error: 'expected steps: the rungs of asha are counted in them',
      path: ['budget'],
    }),
    z.refine(({ asha, budget }) => !asha || asha.first_steps < (budget.steps ?? Infinity), {
      error: 'expected fewer than the steps of the budget',
      path: ['asha', 'first_steps'],
    }),
    z.refine(({ fixed, search }) => ![fixed, search].some(hasBudget), {
      error: 'expected steps, epochs or minutes in budget alone',
      path: ['search'],
    }),
    z.refine(({ fixed, search }) => Object.keys(search).every((name) => !(name in fixed)), {
      error: 'expected each field in fixed or in search, not in both',
      path: ['search'],
    }),
  );
export type SweepFile = z.output<typeof SweepFile>;
export type SweepFileInput = z.input<typeof SweepFile>;
