import * as z from 'zod/mini';

/**
 * The fields of each model family in a request: these and no others (rule 11). The engine has the same
 * tables for its own checks; a test holds them against each other.
 */

const whole = (initial: number, least: number, most: number) =>
  z.prefault(z.int().check(z.gte(least), z.lte(most)), initial);

/** A size: the measured recipe of the family says what it is where it is left out (ruling A17). */
const size = (least: number, most: number) => z.optional(z.int().check(z.gte(least), z.lte(most)));

const number = (initial: number, least: number, most: number) =>
  z.prefault(z.number().check(z.gte(least), z.lte(most)), initial);

const flag = (initial: boolean) => z.prefault(z.boolean(), initial);

const choice = <const Choices extends readonly [string, ...string[]]>(...choices: Choices) =>
  z.prefault(z.enum(choices), choices[0]);

/** How a dataset becomes text: of every family that reads text. */
const preparation = {
  encoding: choice('detected', 'utf-8', 'utf-16le', 'utf-16be', 'shift_jis', 'euc-jp'),
  aozora: flag(false),
  normalise: choice('none', 'nfc', 'nfkc'),
} as const;

/** How text becomes tokens; a model that is gone on from has its own. */
const tokenizer = {
  tokenizer: choice('character', 'bpe'),
  vocab_size: whole(4096, 256, 1_048_576),
} as const;

/** dense_chronospike */
const chronospike = {
  d_model: size(1, 8192),
  n_heads: size(1, 256),
  num_blocks: size(1, 256),
  time_steps: size(1, 64),
  neuron_type: choice('LIF', 'EvoLIF', 'Izhikevich'),
  seq_len: size(2, 65_536),
  ...tokenizer,
  ...preparation,
  longest_tau: number(0, 0, 1 << 20),
  carry: flag(false),
} as const;

/** standard_transformer */
const transformer = {
  d_model: size(1, 8192),
  n_heads: size(1, 256),
  num_blocks: size(1, 256),
  seq_len: size(2, 16_384),
  ...preparation,
} as const;

/** A backbone of sparse events, besides its width and its blocks. */
const backbone = {
  density: number(0.005, 1e-6, 1),
  codebook_rank: whole(128, 1, 4096),
  experts: whole(2, 1, 64),
  top_k: whole(1, 1, 64),
  adapter_rank: whole(16, 1, 4096),
  hebbian_rate: number(0.001, 0, 1),
  negatives: whole(1024, 1, 65_536),
  dropout: number(0, 0, 0.9),
  load_balance: number(0.01, 0, 10),
  fixed_seed: whole(1, 0, 0xffff_ffff),
} as const;

/** sparse_event_memory */
const sparse = {
  d_model: size(1, 8192),
  num_blocks: size(1, 256),
  seq_len: size(2, 65_536),
  ...backbone,
  ...tokenizer,
  ...preparation,
} as const;

/** spiking_multimodal */
const multimodal = {
  d_model: size(1, 8192),
  n_heads: size(1, 256),
  num_blocks: size(1, 256),
  time_steps: size(1, 64),
  caption_seq_len: size(2, 4096),
  caption_key: choice('caption', 'en', 'ja'),
} as const;

/** memoried_spikenetlm */
const memoried = {
  d_model: size(1, 8192),
  num_blocks: size(1, 256),
  caption_seq_len: size(2, 4096),
  caption_key: choice('caption', 'en', 'ja'),
  image_patch: size(1, 32),
  image_codes: size(2, 4096),
  audio_codes: whole(256, 2, 4096),
  ...backbone,
  density: number(0.02, 1e-6, 1),
} as const;

/** What models of pictures and sounds have in common: how they are stored, and how private their data stays. */
const stored = {
  precision: choice('f32', 'f16'),
  quantization: choice('none', 'int8'),
  privacy_level: choice('none', 'low', 'medium', 'high'),
} as const;

const vision = {
  model_category: choice('classification'),
  model_variant: z.optional(z.enum(['conv', 'mlp'])),
  output_dim: whole(10, 2, 256),
  time_steps: size(1, 256),
  ...stored,
} as const;

const audio = {
  audio_category: choice('classification'),
  mfcc_features: size(1, 128),
  mfcc_seq_len: size(2, 1000),
  output_neurons: whole(10, 2, 256),
  time_steps: size(1, 64),
  ...stored,
  synthetic: z.prefault(z.boolean(), false),
} as const;

export const familyFields = {
  dense_chronospike: chronospike,
  standard_transformer: transformer,
  sparse_event_memory: sparse,
  spiking_multimodal: multimodal,
  spiking_vision: vision,
  spiking_audio: audio,
  memoried_spikenetlm: memoried,
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
  MultiModal: 'spiking_multimodal',
  Vision: 'spiking_vision',
  Audio: 'spiking_audio',
} as const satisfies Partial<Record<Category, ModelType>>;
