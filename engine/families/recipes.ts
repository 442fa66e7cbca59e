import type { TrainingControls } from '../train/settings.ts';
import type { Architecture } from './architectures.ts';
import type { Fields } from './fields.ts';

/** What a family is trained with at a size: the values that `auto` chooses and that presets fill in. */
export interface Recipe {
  /** Sizes by their names on the wire. */
  readonly fields: Fields;
  readonly batch: number;
  /** Peak of the schedule. */
  readonly learningRate: number;
  /** Where it differs from the profile stable_baseline. */
  readonly controls: Partial<TrainingControls>;
  /** What was seen with it; `docs/bars.md` has the commands. */
  readonly measured: string;
}

export const PRESET_NAMES = ['auto', 'tiny', 'small', 'base', 'large'] as const;
export type PresetName = (typeof PRESET_NAMES)[number];
type Recipes = Readonly<Record<PresetName, Recipe>>;

/** How long a run takes that is not told: it ends in words that can be read, and can be continued. */
export const DEFAULT_MINUTES = 2.5;

/** Few sequences a step, and a second moment that remembers as many tokens (docs/decisions/0010). */
const SLOW = { beta2: 0.99 } as const;

type Run = readonly [batch: number, learningRate: number, controls?: Partial<TrainingControls>];

function recipe(fields: Fields, [batch, learningRate, controls = {}]: Run, measured: string) {
  return { fields, batch, learningRate, controls, measured } satisfies Recipe;
}

const trunk = (d_model: number, n_heads: number, num_blocks: number, time_steps: number) => ({
  d_model,
  n_heads,
  num_blocks,
  time_steps,
});

const sized = (d_model: number, num_blocks: number) => ({ d_model, num_blocks });

/** Sizes without time steps. */
const layered = (d_model: number, n_heads: number, num_blocks: number, seq_len: number) => ({
  d_model,
  n_heads,
  num_blocks,
  seq_len,
});

const patched = (caption_seq_len: number, image_patch: number, image_codes: number) => ({
  caption_seq_len,
  image_patch,
  image_codes,
});

const frames = (mfcc_features: number, mfcc_seq_len: number, time_steps: number) => ({
  mfcc_features,
  mfcc_seq_len,
  time_steps,
});

/** Auto is small where nothing else was found better for a first run. */
const family = (sizes: Omit<Recipes, 'auto'>, auto = sizes.small): Recipes => ({ auto, ...sizes });

/**
 * The recipes of every family, one line for each size. Another budget or device gets its own here once it is
 * measured; `choose.ts` says which one a run takes.
 */
export const recipes: Readonly<Record<Architecture, Recipes>> = {
  dense_chronospike: family(
    {
      tiny: recipe(
        { ...trunk(32, 2, 1, 2), seq_len: 32 },
        [8, 1e-2, SLOW],
        '1.986 nats a character of tinyshakespeare after 20,000 steps',
      ),
      small: recipe(
        { ...trunk(128, 4, 4, 4), seq_len: 64 },
        [4, 6e-3, SLOW],
        '1.645 nats a character of tinyshakespeare after 3 minutes',
      ),
      base: recipe(
        { ...trunk(256, 8, 6, 4), seq_len: 128 },
        [4, 4e-3, SLOW],
        '2.306 nats a character of tinyshakespeare after 60 steps',
      ),
      large: recipe(
        { ...trunk(512, 8, 12, 4), seq_len: 256 },
        [1, 2e-3, SLOW],
        'training loss 4.22 to 3.33 in 6 steps',
      ),
    },
    recipe(
      { ...trunk(128, 4, 4, 2), seq_len: 64 },
      [4, 6e-3, SLOW],
      '1.626 nats a character of tinyshakespeare after 3 minutes',
    ),
  ),
  standard_transformer: family({
    tiny: recipe(
      layered(32, 2, 1, 32),
      [8, 5e-3, SLOW],
      '1.915 nats a character of tinyshakespeare after 20,000 steps',
    ),
    small: recipe(
      layered(128, 4, 4, 64),
      [8, 3e-3],
      '1.633 nats a character of tinyshakespeare after 3 minutes',
    ),
    base: recipe(
      layered(256, 8, 6, 128),
      [4, 2e-3],
      '3.183 nats a character of tinyshakespeare after 40 steps',
    ),
    large: recipe(layered(512, 8, 12, 256), [1, 1e-3], 'training loss 4.24 to 3.53 in 8 steps'),
  }),
  sparse_event_memory: family({
    tiny: recipe(
      { ...sized(64, 2), seq_len: 32 },
      [8, 1e-2],
      '2.293 nats a character of tinyshakespeare after 15,000 steps',
    ),
    small: recipe(
      { ...sized(512, 4), seq_len: 64 },
      [16, 1e-2],
      '1.993 nats a character of tinyshakespeare after 2,000 steps',
    ),
    base: recipe(
      { ...sized(1024, 6), seq_len: 128 },
      [8, 5e-3],
      '2.861 nats a character of tinyshakespeare after 40 steps',
    ),
    large: recipe(
      { ...sized(2048, 12), seq_len: 256 },
      [4, 5e-3],
      'training loss 4.18 to 3.48 in 12 steps',
    ),
  }),
  spiking_multimodal: family({
    tiny: recipe(
      { ...trunk(32, 2, 1, 2), caption_seq_len: 32 },
      [16, 1e-2],
      '2.233 nats a token of the emoji captions after 1,000 steps',
    ),
    small: recipe(
      { ...trunk(64, 4, 2, 2), caption_seq_len: 32 },
      [16, 4e-3],
      '1.879 nats a token of the emoji captions after 2,800 steps',
    ),
    base: recipe(
      { ...trunk(128, 4, 4, 4), caption_seq_len: 32 },
      [8, 3e-3],
      '3.097 nats a token of the emoji captions after 30 steps',
    ),
    large: recipe(
      { ...trunk(256, 8, 6, 4), caption_seq_len: 64 },
      [8, 2e-3],
      'training loss 4.30 to 3.21 in 8 steps',
    ),
  }),
  spiking_vision: family({
    tiny: recipe(
      { model_variant: 'mlp', time_steps: 8 },
      [128, 2e-3],
      '97.8 % of MNIST after 1,000 steps',
    ),
    small: recipe(
      { model_variant: 'conv', time_steps: 4 },
      [64, 2e-3],
      '96.9 % of MNIST after 200 steps, 99.0 % after two epochs',
    ),
    base: recipe(
      { model_variant: 'conv', time_steps: 8 },
      [32, 2e-3],
      '80.2 % of MNIST after 30 steps',
    ),
    large: recipe(
      { model_variant: 'conv', time_steps: 16 },
      [32, 2e-3],
      'training loss 2.32 to 1.62 in 12 steps',
    ),
  }),
  spiking_audio: family({
    tiny: recipe(frames(13, 20, 1), [32, 5e-3], '96.0 % of the spoken digits after 600 steps'),
    small: recipe(frames(26, 40, 1), [32, 5e-3], '96.7 % of the spoken digits after 300 steps'),
    base: recipe(frames(40, 60, 1), [32, 5e-3], '74.0 % of the spoken digits after 60 steps'),
    large: recipe(frames(64, 80, 2), [32, 5e-3], 'training loss 2.36 to 1.55 in 30 steps'),
  }),
  memoried_spikenetlm: family(
    {
      tiny: recipe(
        { ...sized(64, 2), ...patched(16, 8, 64) },
        [8, 1e-2],
        '2.501 nats a token of the emoji streams after 2,000 steps',
      ),
      small: recipe(
        { ...sized(256, 2), ...patched(24, 4, 256) },
        [16, 1e-2],
        '2.940 nats a token of the emoji streams after 1,000 steps',
      ),
      base: recipe(
        { ...sized(512, 4), ...patched(32, 4, 512) },
        [8, 5e-3],
        '4.721 nats a token of the emoji streams after 40 steps',
      ),
      large: recipe(
        { ...sized(1024, 6), ...patched(64, 2, 1024) },
        [8, 5e-3],
        'training loss 6.94 to 4.69 in 12 steps',
      ),
    },
    recipe(
      { ...sized(64, 2), ...patched(16, 8, 64) },
      [8, 1e-2],
      '2.501 nats a token of the emoji streams after 2,000 steps',
    ),
  ),
};
