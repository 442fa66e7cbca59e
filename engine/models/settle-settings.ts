import type { RunData } from '../checkpoint/run-data.ts';
import type { Backend } from '../graph/backend.ts';
import type { ProfileName } from '../settings/controls.ts';
import type { Fields } from '../settings/fields.ts';
import { familyDescriptions } from './architectures.ts';
import { asksForSpeed, recipeFor, runControls } from './auto-recipes.ts';
import { chooseSettings, type KnownSettings } from './choices.ts';
import { type Forecast, forecastOf, isForeseen } from './forecast.ts';
import type { ModelFamily } from './load-family.ts';
import { stepTime } from './step-time.ts';

/** All that decides what `auto` stands for. */
export interface Ground {
  readonly family: ModelFamily;
  readonly backend: Backend;
  /** Read with the settings that are settled. */
  readonly data: RunData;
  readonly profile?: ProfileName | undefined;
}

/** Settings that `auto` has settled, and when the run is expected to have learned something. */
interface Settled {
  readonly settings: KnownSettings;
  /** Undefined for sizes and devices without a measure. */
  readonly forecast?: Forecast | undefined;
}

/**
 * Settles what the chooser left to `auto`: its recipe by the data, the budget and the measured speed of
 * the device. What was given stays as it is; so does all of a run whose preset or sizes were given, or that
 * has been settled. Call it before a run begins, as a run that resumes has its own settings.
 */
export async function settleSettings(first: KnownSettings, ground: Ground): Promise<Settled> {
  const settings = isOpen(first) ? await choose(first, ground) : first;
  if (settings.budget.kind !== 'minutes' || !isForeseen(settings)) return { settings };
  return { settings, forecast: forecastOf(settings, await secondsOf(settings, ground)) };
}

/** Whether sizes, batch and rate are all the chooser's. */
function isOpen({ architecture, chosen = {} }: KnownSettings): boolean {
  const { fields } = familyDescriptions[architecture].presets.auto;
  return !chosen['recipe'] && Object.keys(fields).every((name) => chosen[name]);
}

async function choose(first: KnownSettings, ground: Ground): Promise<KnownSettings> {
  const { architecture, budget } = first;
  const run = { items: ground.data.length, budget };
  const stepSeconds = asksForSpeed(architecture, run) ? await secondsOf(first, ground) : undefined;
  return chooseSettings({
    ...givenOf(first),
    profile: ground.profile,
    taken: recipeFor(architecture, { ...run, stepSeconds }),
  });
}

const secondsOf = (settings: KnownSettings, { family, backend, data, profile }: Ground) =>
  stepTime(settings, { family, backend, data, controls: runControls(profile ?? 'auto', settings) });

/** Settings without the values that were chosen. */
function givenOf({ architecture, fields, chosen = {}, ...run }: KnownSettings) {
  const isGiven = (name: string) => !(name in chosen);
  return {
    architecture,
    fields: Object.fromEntries(Object.entries(fields).filter(([name]) => isGiven(name))) as Fields,
    batch: isGiven('batch_size') ? run.batch : undefined,
    learningRate: isGiven('learning_rate') ? run.learningRate : undefined,
    seed: isGiven('seed') ? run.seed : undefined,
    budget: run.budget,
  };
}
