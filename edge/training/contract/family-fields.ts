import * as z from 'zod/mini';

/**
 * The fields of each model family in a request: these and no others (rule 11). The engine has the same
 * tables for its own checks; a test holds them against each other. What is left out is chosen when a
 * job is made of the request, and recorded with its reason.
 */

const whole = (least: number, most: number) => z.optional(z.int().check(z.gte(least), z.lte(most)));

const number = (least: number, most: number) =>
  z.optional(z.number().check(z.gte(least), z.lte(most)));

const flag = z.optional(z.boolean());

const choice = <const Choices extends readonly [string, ...string[]]>(...choices: Choices) =>
  z.optional(z.enum(choices));

/** How a dataset becomes text: of every family that reads text. */
const preparation = {
  encoding: choice('detected', 'utf-8', 'utf-16le', 'utf-16be', 'shift_jis', 'euc-jp'),
  aozora: flag,
  normalise: choice('none', 'nfc', 'nfkc'),
} as const;

/** How text becomes tokens; a model that is gone on from has its own. */
const tokenizer = {
  tokenizer: choice('character', 'bpe'),
  vocab_size: whole(256, 1_048_576),
} as const;

/** dense_chronospike */
const chronospike = {
  d_model: whole(1, 8192),
  n_heads: whole(1, 256),
  num_blocks: whole(1, 256),
  time_steps: whole(1, 64),
  neuron_type: choice('LIF', 'EvoLIF', 'Izhikevich'),
  seq_len: whole(2, 65_536),
  ...tokenizer,
  ...preparation,
  longest_tau: number(0, 1 << 20),
  carry: flag,
  energy_importance: number(0, 255),
  energy_supply: number(0, 255),
  energy_threshold: number(0, 255),
} as const;

/** standard_transformer */
const transformer = {
  d_model: whole(1, 8192),
  n_heads: whole(1, 256),
  num_blocks: whole(1, 256),
  seq_len: whole(2, 16_384),
  ...preparation,
} as const;

/** A backbone of sparse events, besides its width and its blocks. */
const backbone = {
  density: number(1e-6, 1),
  codebook_rank: whole(1, 4096),
  experts: whole(1, 64),
  top_k: whole(1, 64),
  adapter_rank: whole(1, 4096),
  hebbian_rate: number(0, 1),
  negatives: whole(1, 65_536),
  dropout: number(0, 0.9),
  load_balance: number(0, 10),
  fixed_seed: whole(0, 0xffff_ffff),
} as const;

/** sparse_event_memory */
const sparse = {
  d_model: whole(1, 8192),
  num_blocks: whole(1, 256),
  seq_len: whole(2, 65_536),
  ...backbone,
  ...tokenizer,
  ...preparation,
} as const;

/** spiking_multimodal */
const multimodal = {
  d_model: whole(1, 8192),
  n_heads: whole(1, 256),
  num_blocks: whole(1, 256),
  time_steps: whole(1, 64),
  caption_seq_len: whole(2, 4096),
  caption_key: choice('caption', 'en', 'ja'),
} as const;

/** memoried_spikenetlm */
const memoried = {
  d_model: whole(1, 8192),
  num_blocks: whole(1, 256),
  caption_seq_len: whole(2, 4096),
  caption_key: choice('caption', 'en', 'ja'),
  image_patch: whole(1, 32),
  image_codes: whole(2, 4096),
  audio_codes: whole(2, 4096),
  ...backbone,
  density: number(1e-6, 1),
} as const;

/** What models of pictures and sounds have in common: how they are stored, and how private their data stays. */
const stored = {
  precision: choice('f32', 'f16'),
  quantization: choice('none', 'int8'),
  privacy_level: choice('none', 'low', 'medium', 'high'),
} as const;

const vision = {
  model_category: choice('classification'),
  model_variant: choice('conv', 'conv_plain', 'mlp'),
  output_dim: whole(2, 256),
  time_steps: whole(1, 256),
  ...stored,
} as const;

const audio = {
  audio_category: choice('classification'),
  mfcc_features: whole(1, 128),
  mfcc_seq_len: whole(2, 1000),
  output_neurons: whole(2, 256),
  time_steps: whole(1, 64),
  ...stored,
  synthetic: flag,
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

/** The families of a category; the first is the one it stands for where a request names none. */
export const familiesOf = {
  LangText: ['dense_chronospike', 'standard_transformer', 'sparse_event_memory'],
  MultiModal: ['spiking_multimodal', 'memoried_spikenetlm'],
  Vision: ['spiking_vision'],
  Audio: ['spiking_audio'],
} as const satisfies Record<Category, readonly [ModelType, ...ModelType[]]>;
