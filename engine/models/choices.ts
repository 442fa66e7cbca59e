import { type Architecture, familyDescriptions, parseArchitecture } from './architectures.ts';
import {
  controlName,
  type ProfileName,
  profiles,
  stableBaseline,
  type TrainingControls,
} from '../settings/controls.ts';
import { type Fields, initialFields } from '../settings/fields.ts';
import { PRESET_NAMES, type PresetName, type Recipe } from '../settings/recipes.ts';
import type { Budget, Choice, Choices, RunSettings } from '../settings/run-settings.ts';
import { heldFields, type SpecRecord } from './base-structure.ts';

/** The settings of a run of a known family. */
export type KnownSettings = RunSettings<Architecture>;

/** Fields of every run besides those of its family. */
const SHARED = ['batch_size', 'learning_rate', 'seed'] as const;
const DEFAULT_SEED = 1;

/** Rule 9: what the choice "stable baseline" fills in, in every family that has such a field. */
export const STABLE_BASELINE: Fields = { seq_len: 64, learning_rate: 1e-4 };

/** A recipe that was taken because of the data, the budget or the device, by its name, and why. */
export interface TakenRecipe {
  readonly name: string;
  readonly recipe: Recipe;
  readonly why: string;
}

/** Context of a run besides the given values. */
export interface ChoiceContext {
  readonly profile: ProfileName;
  /** The preset that fills in what is left out; the nearest recipe by default, too. */
  readonly preset?: PresetName | undefined;
  /** In place of a preset. */
  readonly taken?: TakenRecipe | undefined;
  /** The model it continues from: its structure holds. */
  readonly base?: { readonly name: string; readonly spec: SpecRecord };
}

/**
 * The values of all fields that a request left out, each with its reason. What was given is never
 * touched. In this order: the base model, the choice "stable baseline", the measured recipe.
 */
export function chooseLeftOut(
  architecture: Architecture,
  given: Fields,
  { profile, preset, taken, base }: ChoiceContext,
): Choices {
  const { fields: table } = familyDescriptions[architecture];
  const held: Fields = base ? heldFields(base.spec) : {};
  // A text that nobody wrote stays away.
  const isAbsent = (name: string) => table[name]?.kind === 'text' && !held[name];
  const left = [...Object.keys(table), ...SHARED].filter(
    (name) => given[name] === undefined && !isAbsent(name),
  );
  const isBaseline = profile === 'stable_baseline';
  const initial: Fields = { ...initialFields(table), seed: DEFAULT_SEED };
  const [name, recipe] = recipeOf({ architecture, fields: { ...held, ...given }, preset, taken });
  const { batch, learningRate, measured } = recipe;
  const measuredValues: Fields = {
    ...recipe.fields,
    batch_size: batch,
    learning_rate: learningRate,
  };
  const reasoned = (field: string): Choice => {
    const [own, baseline] = [held[field], isBaseline ? STABLE_BASELINE[field] : undefined];
    if (own !== undefined) return { value: own, reason: `as in the base model ${base?.name}` };
    if (baseline !== undefined) return { value: baseline, reason: 'of the choice stable_baseline' };
    const value = measuredValues[field];
    if (value !== undefined) return { value, reason: reasonOf(architecture, name, measured) };
    return { value: initial[field] ?? 0, reason: `the first value of ${architecture}` };
  };
  const choices = Object.fromEntries(left.map((field) => [field, reasoned(field)]));
  const isBpe = (given['tokenizer'] ?? choices['tokenizer']?.value) === 'bpe';
  // Of characters there are as many as the text has.
  if (!isBpe) delete choices['vocab_size'];
  return { ...choices, ...dividingHeads(choices, given) };
}

const reasonOf = (architecture: string, name: string, measured: string) =>
  `the recipe ${name} of ${architecture}: ${measured}`;

/** The controls that `auto` chooses where they differ from those of stable_baseline, and why. */
function controlsOfRecipe(run: RecipeQuestion): {
  readonly controls: Partial<TrainingControls>;
  readonly reason: string;
} {
  const [name, { controls, measured }] = recipeOf(run);
  return { controls, reason: reasonOf(run.architecture, name, measured) };
}

/** A requested run: undefined values are chosen. */
export interface Asked {
  readonly architecture: Architecture;
  readonly fields: Fields;
  readonly batch?: number | undefined;
  readonly learningRate?: number | undefined;
  /** Auto by default. */
  readonly profile?: ProfileName | undefined;
  readonly preset?: PresetName | undefined;
  readonly taken?: TakenRecipe | undefined;
  readonly base?: ChoiceContext['base'];
  readonly seed?: number | undefined;
  readonly budget: Budget;
}

/** The settings of a run: what was given as it is, the rest chosen. */
export function chooseSettings(asked: Asked): KnownSettings {
  const { architecture, batch, learningRate, profile = 'auto', preset, taken, base } = asked;
  const given = Object.fromEntries(
    Object.entries({
      ...asked.fields,
      batch_size: batch,
      learning_rate: learningRate,
      seed: asked.seed,
    }).filter(([, value]) => value !== undefined),
  ) as Fields;
  const context = { profile, preset, taken, ...(base && { base }) };
  const chosen = chooseLeftOut(architecture, given, context);
  const { batch_size, learning_rate, seed, ...fields } = withChoices(given, chosen);
  return {
    architecture,
    fields,
    batch: Number(batch_size),
    learningRate: Number(learning_rate),
    seed: Number(seed),
    budget: asked.budget,
    chosen: { ...chosen, ...(taken && { recipe: { value: taken.name, reason: taken.why } }) },
  };
}

/** The values alone, beside those that were given. */
export function withChoices(given: Fields, choices: Choices): Fields {
  const chosen = Object.entries(choices).map(([name, { value }]) => [name, value]);
  return { ...given, ...Object.fromEntries(chosen) };
}

/** Heads that were left out divide the width that was given (rule 1). */
function dividingHeads(choices: Choices, { d_model: width }: Fields): Choices {
  const heads = choices['n_heads']?.value;
  if (typeof width !== 'number' || typeof heads !== 'number' || width % heads === 0) return {};
  let value = Math.min(heads, width);
  while (width % value !== 0) value--;
  return { n_heads: { value, reason: `the most up to ${heads} that divide d_model ${width}` } };
}

type RecipeQuestion = Pick<Asked, 'fields' | 'preset' | 'taken'> & {
  readonly architecture: string;
};

/**
 * The one that was taken, else that of the preset that is named, else the one whose sizes are nearest to
 * those given: auto where none is.
 */
function recipeOf({
  architecture,
  fields,
  preset,
  taken,
}: RecipeQuestion): readonly [string, Recipe] {
  if (taken) return [taken.name, taken.recipe];
  const { presets: own } = familyDescriptions[parseArchitecture(architecture)];
  if (preset !== undefined) return [preset, own[preset]];
  const distances = PRESET_NAMES.map((name) => distanceOf(own[name].fields, fields));
  const name = PRESET_NAMES[distances.indexOf(Math.min(...distances))] ?? 'auto';
  return [name, own[name]];
}

/** How far sizes that are given are from a recipe's, in doublings; a choice that differs is as far as one. */
function distanceOf(sizes: Fields, given: Fields): number {
  return Object.entries(sizes).reduce((sum, [name, size]) => {
    const own = given[name];
    if (own === undefined || own === size) return sum;
    const isNumber = typeof own === 'number' && typeof size === 'number' && own > 0;
    return sum + (isNumber ? Math.abs(Math.log2(own / size)) : 1);
  }, 0);
}

/** The controls of a profile for a run; those of `auto` follow its family and its sizes. */
export function profileControls(profile: ProfileName, run: RecipeQuestion): TrainingControls {
  if (profile !== 'auto') return profiles[profile];
  return { ...stableBaseline, ...controlsOfRecipe(run).controls };
}

/** The controls that `auto` has chosen for a run, with their reasons; none under another profile. */
export function chosenControls(
  profile: ProfileName,
  run: RecipeQuestion,
  used: TrainingControls,
): Choices {
  if (profile !== 'auto') return {};
  const { controls, reason } = controlsOfRecipe(run);
  const followed = Object.entries(controls).flatMap(([key, value]) => {
    const name = key as keyof TrainingControls;
    return used[name] === value ? [[controlName(name), { value, reason }] as const] : [];
  });
  return Object.fromEntries(followed);
}
