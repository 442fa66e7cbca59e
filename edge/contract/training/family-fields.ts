import * as z from 'zod/mini';

/**
 * The fields of each model family in a request: these and no others (rule 11). The engine has the same
 * tables for its own checks; a test holds them against each other.
 */

const whole = (initial: number, least: number, most: number) =>
  z.prefault(z.int().check(z.gte(least), z.lte(most)), initial);

const choice = <const Choices extends readonly [string, ...string[]]>(...choices: Choices) =>
  z.prefault(z.enum(choices), choices[0]);

/** dense_chronospike; the first values are the Small preset. */
const chronospike = {
  d_model: whole(128, 1, 8192),
  n_heads: whole(4, 1, 256),
  num_blocks: whole(4, 1, 256),
  time_steps: whole(4, 1, 64),
  neuron_type: choice('LIF'),
  seq_len: whole(64, 2, 65_536),
} as const;

/** standard_transformer; the first values are the Small preset. */
const transformer = {
  d_model: whole(128, 1, 8192),
  n_heads: whole(4, 1, 256),
  num_blocks: whole(4, 1, 256),
  seq_len: whole(64, 2, 16_384),
} as const;

export const familyFields = {
  dense_chronospike: chronospike,
  standard_transformer: transformer,
} as const;

/** What is trained, by the family's name in a model_spec. */
export const ModelType = z.enum(Object.keys(familyFields) as (keyof typeof familyFields)[]);
export type ModelType = z.infer<typeof ModelType>;

/** What a language-model training server trains. */
export const Category = z.enum(['LangText', 'Vision', 'Audio', 'MultiModal']);
export type Category = z.infer<typeof Category>;

/** The family that a category stands for in a request of the language-model training server. */
export const familyOfCategory = {
  LangText: 'dense_chronospike',
} as const satisfies Partial<Record<Category, ModelType>>;
