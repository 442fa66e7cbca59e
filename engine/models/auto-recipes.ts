import type { ProfileName, TrainingControls } from '../settings/controls.ts';
import {
  type PresetName,
  recipe,
  type Recipe,
  SLOW,
  trunkSizes,
  withTables,
} from '../settings/recipes.ts';
import type { Budget, Choices, RunSettings } from '../settings/run-settings.ts';
import { type Architecture, familyDescriptions, parseArchitecture } from './architectures.ts';
import { chosenControls, profileControls, type TakenRecipe } from './choices.ts';
import { timeInWords } from './forecast.ts';

/**
 * When `auto` stands for a recipe other than its own. Steps are those of its own recipe that a budget of minutes
 * allows on the device; the first condition that holds decides.
 */
interface AutoRules {
  /** Data of fewer tokens or examples. */
  readonly few?: Condition;
  /** Fewer steps than these. */
  readonly short?: Condition;
  /** As many steps as these, or more. */
  readonly long?: Condition;
}

interface Condition {
  readonly bound: number;
  readonly name: string;
  /** The preset of that name by default. */
  readonly recipe?: Recipe;
}

const textRecipe = (...given: Parameters<typeof recipe>) => withTables(recipe(...given));

/** Apart from the descriptions: the Worker, which fills in jobs, knows neither data nor device. */
const RULES: Partial<Record<Architecture, AutoRules>> = {
  dense_chronospike: {
    few: {
      bound: 20_000,
      name: 'few',
      recipe: textRecipe(
        { ...trunkSizes(32, 2, 1, 2), seq_len: 32 },
        [8, 3e-3, { ...SLOW, weightDecay: 1 }],
        '2.081 nats a character after 15,000 steps on the first 10,000 characters of tinyshakespeare',
      ),
    },
    short: { bound: 300, name: 'tiny' },
    long: {
      bound: 25_000,
      name: 'long',
      recipe: textRecipe(
        { ...trunkSizes(160, 5, 4, 2), seq_len: 128 },
        [8, 6e-3, { weightDecay: 0.2, finalRate: 0.02 }],
        '1.487 nats a character of tinyshakespeare after 30 minutes',
      ),
    },
  },
  standard_transformer: { short: { bound: 1200, name: 'tiny' } },
};

/** The circumstances of a run. */
interface Circumstances {
  /** Tokens of the data, or examples. */
  readonly items: number;
  readonly budget: Budget;
  /** Time of a step of the recipe auto on the device; only a budget of minutes asks for it. */
  readonly stepSeconds?: number | undefined;
}

/** Whether the time of a step decides anything for such a run. */
export function asksForSpeed(
  architecture: Architecture,
  { items, budget }: Circumstances,
): boolean {
  const { few, short, long } = RULES[architecture] ?? {};
  if (budget.kind !== 'minutes' || (few && items < few.bound)) return false;
  return short !== undefined || long !== undefined;
}

/** The recipe that `auto` stands for, and why. A budget of steps or epochs gives the same on every device. */
export function recipeFor(architecture: Architecture, run: Circumstances): TakenRecipe {
  const [{ name, recipe: own }, why] = conditionOf(architecture, run);
  const { presets } = familyDescriptions[architecture];
  return { name, recipe: own ?? presets[name as PresetName], why };
}

type Met = readonly [Pick<Condition, 'name' | 'recipe'>, why: string];

function conditionOf(
  architecture: Architecture,
  { items, budget, stepSeconds }: Circumstances,
): Met {
  const { few, ...byPace } = RULES[architecture] ?? {};
  const isText = familyDescriptions[architecture].category === 'LangText';
  const amount = `there are ${items} ${isText ? 'tokens' : 'examples'}`;
  if (few && items < few.bound) return [few, `${amount}, fewer than ${few.bound}`];
  const isTimed = budget.kind === 'minutes' && stepSeconds !== undefined;
  return isTimed ? paced(byPace, 60 * budget.minutes, stepSeconds) : [AUTO, amount];
}

function paced({ short, long }: AutoRules, seconds: number, stepSeconds: number): Met {
  const steps = Math.round(seconds / stepSeconds);
  const pace =
    `${timeInWords(seconds)} are about ${steps} steps of the recipe auto on this device, ` +
    `where one takes ${Number((1000 * stepSeconds).toPrecision(2))} ms`;
  if (short && steps < short.bound) return [short, `${pace}: fewer than ${short.bound}`];
  if (long && steps >= long.bound) return [long, `${pace}: ${long.bound} or more`];
  return [AUTO, pace];
}

const AUTO = { name: 'auto' } as const;

type RunOfRecipe = Pick<RunSettings, 'architecture' | 'fields' | 'chosen'>;

/** The recipe that settings say was taken; undefined where their sizes tell. */
function takenBy({ architecture, chosen }: RunOfRecipe): TakenRecipe | undefined {
  const choice = chosen?.['recipe'];
  if (!choice) return undefined;
  const known = parseArchitecture(architecture);
  const { presets } = familyDescriptions[known];
  const further = Object.values(RULES[known] ?? {}).find(({ name }) => name === choice.value);
  const own = further?.recipe ?? presets[choice.value as PresetName];
  // A checkpoint may name a recipe that is no more.
  return own && { name: String(choice.value), recipe: own, why: choice.reason };
}

/** The controls of a profile for a run; those of `auto` are its recipe's. */
export const runControls = (profile: ProfileName, run: RunOfRecipe): TrainingControls =>
  profileControls(profile, { ...run, taken: takenBy(run) });

/** The controls that `auto` has chosen for a run, with their reasons; none under another profile. */
export const chosenRunControls = (
  profile: ProfileName,
  run: RunOfRecipe,
  used: TrainingControls,
): Choices => chosenControls(profile, { ...run, taken: takenBy(run) }, used);
