import type { ProfileName } from '../train/profiles.ts';
import type { Budget, ChosenValue, RunSettings } from '../train/run-settings.ts';
import type { TrainingControls } from '../train/settings.ts';
import type { Architecture } from './architectures.ts';
import type { Fields, FieldValue } from './fields.ts';
import { PRESET_NAMES, type PresetName, type Recipe, recipes } from './recipes.ts';

/** What was asked for of a run: what is left out is chosen. */
export interface Asked {
  readonly architecture: Architecture;
  readonly fields: Fields;
  readonly batch?: number | undefined;
  readonly learningRate?: number | undefined;
  /** Auto where it is left out. */
  readonly profile?: ProfileName | undefined;
  /** The preset that fills in what is left out; the recipe that is nearest where it is left out. */
  readonly preset?: PresetName | undefined;
  /** The structure of the model that is gone on from: it holds where nothing is given. */
  readonly base?: Fields | undefined;
  readonly seed: number;
  readonly budget: Budget;
}

/** Rule 9 of the platform: what the choice stable_baseline puts where nothing was given. */
export const INTERFACE_DEFAULTS = { seq_len: 64, learning_rate: 1e-4 } as const;

/**
 * The settings of a run: what was given as it is, and what was left out by the recipe for the family, with
 * the reason beside each.
 */
export function chooseSettings(asked: Asked): RunSettings {
  const { architecture, fields: given, base = {}, seed, budget } = asked;
  const [name, recipe] = recipeOf(asked);
  const why = `the recipe ${name} of ${architecture}: ${recipe.measured}`;
  const isBaseline = asked.profile === 'stable_baseline';
  const chosen: ChosenValue[] = [];
  const choose = <Value extends FieldValue>(
    field: string,
    own: Value | undefined,
    filled: Value,
  ): Value => {
    if (own !== undefined) return own;
    const rule = isBaseline
      ? INTERFACE_DEFAULTS[field as keyof typeof INTERFACE_DEFAULTS]
      : undefined;
    // The rule's values are numbers, as are those of the fields that have these names.
    const value = (base[field] ?? rule ?? filled) as Value;
    const others = rule === undefined ? why : 'the choice stable_baseline';
    chosen.push({ field, value, reason: field in base ? 'as the base model has it' : others });
    return value;
  };
  const sizes = Object.entries(recipe.fields).map(([field, value]) => [
    field,
    choose(field, given[field], field === 'n_heads' ? headsFor(given, value) : value),
  ]);
  return {
    architecture,
    fields: { ...Object.fromEntries(sizes), ...given },
    batch: choose('batch_size', asked.batch, recipe.batch),
    learningRate: choose('learning_rate', asked.learningRate, recipe.learningRate),
    seed,
    budget,
    ...(chosen.length > 0 && { chosen }),
  };
}

/** The controls that `auto` chooses, where they differ from those of stable_baseline. */
export function controlsOfRecipe(settings: RecipeQuestion): {
  readonly controls: Partial<TrainingControls>;
  readonly reason: string;
} {
  const [name, { controls, measured }] = recipeOf(settings);
  return { controls, reason: `the recipe ${name} of ${settings.architecture}: ${measured}` };
}

export type RecipeQuestion = Pick<Asked, 'architecture' | 'fields' | 'preset'>;

/** That of the preset that is named, else the one whose sizes are nearest to those given: auto where none is. */
function recipeOf({ architecture, fields, preset }: RecipeQuestion): readonly [PresetName, Recipe] {
  const own = recipes[architecture];
  if (preset !== undefined) return [preset, own[preset]];
  const distances = PRESET_NAMES.map((name) => distanceOf(own[name].fields, fields));
  const name = PRESET_NAMES[distances.indexOf(Math.min(...distances))] ?? 'auto';
  return [name, own[name]];
}

/** How far sizes that are given are from a recipe's, in factors of e; a choice that differs is as far as one. */
function distanceOf(sizes: Fields, given: Fields): number {
  return Object.entries(sizes).reduce((sum, [name, size]) => {
    const own = given[name];
    if (own === undefined || own === size) return sum;
    const isNumber = typeof own === 'number' && typeof size === 'number' && own > 0;
    return sum + (isNumber ? Math.abs(Math.log(own / size)) : 1);
  }, 0);
}

/** As many heads as the recipe has, or the most that divide a width that was given. */
function headsFor({ d_model: width }: Fields, most: FieldValue): FieldValue {
  if (typeof width !== 'number' || typeof most !== 'number') return most;
  let heads = most;
  while (heads > 1 && width % heads !== 0) heads--;
  return heads;
}
