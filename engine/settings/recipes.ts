import type { TrainingControls } from './controls.ts';
import type { Fields } from './fields.ts';

/** A measured set of hyperparameters for one size of a family: what `auto` chooses and presets fill in. */
export interface Recipe {
  /** Sizes by their wire names. */
  readonly fields: Fields;
  readonly batch: number;
  /** Peak of the schedule. */
  readonly learningRate: number;
  /** Differences from the profile stable_baseline. */
  readonly controls: Partial<TrainingControls>;
  /** The result measured with it; `docs/bars.md` has the commands. */
  readonly measured: string;
}

export const PRESET_NAMES = ['auto', 'tiny', 'small', 'base', 'large'] as const;
export type PresetName = (typeof PRESET_NAMES)[number];
export type Recipes = Readonly<Record<PresetName, Recipe>>;

/** Length of a run whose budget is left out: it ends in readable words, and can be continued. */
export const DEFAULT_MINUTES = 2.5;

/**
 * For few sequences a step: a second moment that averages over as many tokens (docs/decisions/0010), and the mean of the
 * weights over the last steps for a model (docs/decisions/0046).
 */
export const SLOW = { beta2: 0.99, average: 0.05 } as const;

type Run = readonly [batch: number, learningRate: number, controls?: Partial<TrainingControls>];

export function recipe(
  fields: Fields,
  [batch, learningRate, controls = {}]: Run,
  measured: string,
): Recipe {
  return { fields, batch, learningRate, controls, measured };
}

/** The recipes of a family; auto is small where nothing better was found for a first run. */
export const recipes = (sizes: Omit<Recipes, 'auto'>, auto = sizes.small): Recipes => ({
  auto,
  ...sizes,
});

/** Tokens of the longest n-grams beside a model that reads text (docs/decisions/0039). */
const NGRAM_ORDER = 6;

/** A recipe of a family that reads text, with n-gram tables. */
export const withTables = ({ fields, ...rest }: Recipe): Recipe => ({
  ...rest,
  fields: { ...fields, ngram_order: NGRAM_ORDER },
});

/** The recipes of a family that reads text: all of them with n-gram tables. */
export const textRecipes = (...given: Parameters<typeof recipes>): Recipes => {
  const plain = recipes(...given);
  // Every preset is in it.
  return Object.fromEntries(PRESET_NAMES.map((name) => [name, withTables(plain[name])])) as Recipes;
};

/** Fields of a recipe with time steps, in this order. */
export const trunkSizes = (
  d_model: number,
  n_heads: number,
  num_blocks: number,
  time_steps: number,
) => ({ d_model, n_heads, num_blocks, time_steps });

/** Fields of a recipe for a sparse backbone. */
export const backboneSizes = (d_model: number, num_blocks: number) => ({ d_model, num_blocks });
