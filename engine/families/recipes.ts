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

/**
 * The recipes of every family, one line for each size. Another budget or device gets its own here once it is
 * measured; `choose.ts` says which one a run takes.
 */
export const recipes: Readonly<Record<Architecture, Recipes>> = {
  dense_chronospike: {
    auto: recipe({ ...trunk(128, 4, 4, 2), seq_len: 64 }, [4, 6e-3, SLOW], '1.63 nats'),
    tiny: recipe({ ...trunk(32, 2, 1, 2), seq_len: 32 }, [8, 1e-2], ''),
    small: recipe({ ...trunk(128, 4, 4, 4), seq_len: 64 }, [4, 6e-3, SLOW], ''),
    base: recipe({ ...trunk(256, 8, 6, 4), seq_len: 128 }, [4, 4e-3, SLOW], ''),
    large: recipe({ ...trunk(512, 8, 12, 4), seq_len: 256 }, [1, 2e-3, SLOW], ''),
  },
  standard_transformer: {
    auto: recipe(layered(128, 4, 4, 64), [8, 3e-3], ''),
    tiny: recipe(layered(32, 2, 1, 32), [8, 1e-2], ''),
    small: recipe(layered(128, 4, 4, 64), [8, 3e-3], ''),
    base: recipe(layered(256, 8, 6, 128), [4, 2e-3], ''),
    large: recipe(layered(512, 8, 12, 256), [2, 1e-3], ''),
  },
  sparse_event_memory: {
    auto: recipe({ ...sized(512, 4), seq_len: 64 }, [16, 1e-2], ''),
    tiny: recipe({ ...sized(64, 2), seq_len: 32 }, [8, 1e-2], ''),
    small: recipe({ ...sized(512, 4), seq_len: 64 }, [16, 1e-2], ''),
    base: recipe({ ...sized(1024, 6), seq_len: 128 }, [16, 5e-3], ''),
    large: recipe({ ...sized(2048, 12), seq_len: 256 }, [4, 5e-3], ''),
  },
  spiking_multimodal: {
    auto: recipe({ ...trunk(64, 4, 2, 2), caption_seq_len: 32 }, [16, 4e-3], ''),
    tiny: recipe({ ...trunk(32, 2, 1, 2), caption_seq_len: 32 }, [16, 1e-2], ''),
    small: recipe({ ...trunk(64, 4, 2, 2), caption_seq_len: 32 }, [16, 4e-3], ''),
    base: recipe({ ...trunk(128, 4, 4, 4), caption_seq_len: 32 }, [16, 3e-3], ''),
    large: recipe({ ...trunk(256, 8, 6, 4), caption_seq_len: 64 }, [8, 2e-3], ''),
  },
  spiking_vision: {
    auto: recipe({ model_variant: 'conv', time_steps: 4 }, [64, 2e-3], ''),
    tiny: recipe({ model_variant: 'mlp', time_steps: 8 }, [128, 2e-3], ''),
    small: recipe({ model_variant: 'conv', time_steps: 4 }, [64, 2e-3], ''),
    base: recipe({ model_variant: 'conv', time_steps: 8 }, [64, 2e-3], ''),
    large: recipe({ model_variant: 'conv', time_steps: 16 }, [32, 2e-3], ''),
  },
  spiking_audio: {
    auto: recipe(frames(26, 40, 1), [32, 5e-3], ''),
    tiny: recipe(frames(13, 20, 1), [32, 5e-3], ''),
    small: recipe(frames(26, 40, 1), [32, 5e-3], ''),
    base: recipe(frames(40, 60, 1), [32, 5e-3], ''),
    large: recipe(frames(64, 80, 2), [32, 5e-3], ''),
  },
  memoried_spikenetlm: {
    auto: recipe({ ...sized(256, 2), ...patched(24, 4, 256) }, [16, 1e-2], ''),
    tiny: recipe({ ...sized(64, 2), ...patched(16, 8, 64) }, [8, 1e-2], ''),
    small: recipe({ ...sized(256, 2), ...patched(24, 4, 256) }, [16, 1e-2], ''),
    base: recipe({ ...sized(512, 4), ...patched(32, 4, 512) }, [16, 5e-3], ''),
    large: recipe({ ...sized(1024, 6), ...patched(64, 2, 1024) }, [8, 5e-3], ''),
  },
};
