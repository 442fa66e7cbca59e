import { EngineError } from '../errors.ts';
import { type Choices, controlsOfRecipe, type RecipeQuestion } from '../families/choices.ts';
import { REWARD_MODES } from '../models/dense-chronospike/neuron-rules.ts';
import { stableBaseline, type TrainingControls } from './settings.ts';

export const PROFILE_NAMES = [
  'auto',
  'stable_baseline',
  'stable_plus',
  'stable_converge',
  'aggressive_convergence',
] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];

/** Profiles of fixed values; those of `auto` are the recipe's. */
export type FixedProfile = Exclude<ProfileName, 'auto'>;

/** The convergence profiles (spec/models). What a family or a kind of neuron does not know of is not done. */
export const profiles: Readonly<Record<FixedProfile, TrainingControls>> = {
  stable_baseline: stableBaseline,
  stable_plus: {
    ...stableBaseline,
    warmup: 0.1,
    gradClipNorm: 0.5,
    rewardClipValue: 0.2,
    relaxation: 0.3,
  },
  stable_converge: {
    ...stableBaseline,
    warmup: 0.1,
    gradClipNorm: 0.5,
    rewardMode: 'off',
    rewardClipValue: 0.2,
    energyGating: false,
  },
  aggressive_convergence: {
    ...stableBaseline,
    warmup: 0.02,
    decayStart: 0.8,
    gradClipNorm: 2,
    rewardMode: 'clipped_raw',
    rewardClipValue: 1,
  },
};

/** Variables of the process; a tab has none. */
export type Environment = Readonly<Record<string, string | undefined>>;

interface Range {
  readonly expected: string;
  readonly accepts: (value: number) => boolean;
}

const SHARE: Range = { expected: 'a number from 0 to 1', accepts: (n: number) => n >= 0 && n <= 1 };
const MOMENT: Range = {
  expected: 'a number from 0 to below 1',
  accepts: (n: number) => n >= 0 && n < 1,
};
const POSITIVE: Range = { expected: 'a positive number', accepts: (n: number) => n > 0 };
const NOT_NEGATIVE: Range = { expected: 'a number of at least 0', accepts: (n: number) => n >= 0 };

type Value = TrainingControls[keyof TrainingControls];

/** What a control may be, and how a text says it; undefined for a text that says nothing that it may be. */
interface Kind {
  readonly expected: string;
  accepts(value: unknown): boolean;
  parse(text: string): Value | undefined;
}

const number = ({ expected, accepts }: Range): Kind => ({
  expected,
  accepts: (value) => typeof value === 'number' && Number.isFinite(value) && accepts(value),
  parse: (text) => (text.trim() === '' ? undefined : Number(text)),
});

const choice = <Choice extends string>(choices: readonly Choice[]): Kind => ({
  expected: `one of ${choices.join(', ')}`,
  accepts: (value) => choices.some((one) => one === value),
  parse: (text) => choices.find((one) => one === text.trim()) as Value | undefined,
});

const FLAG: Kind = {
  expected: 'on or off',
  accepts: (value) => typeof value === 'boolean',
  parse: parseFlag,
};

/** What a text says of something that is on or off, on a command line as in a variable; undefined for another. */
export function parseFlag(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (['on', 'true', 'yes', '1'].includes(word)) return true;
  return ['off', 'false', 'no', '0'].includes(word) ? false : undefined;
}

/** Each control with its name on the wire, from which its variable has its name, and what it may be. */
const CONTROLS: Readonly<Record<keyof TrainingControls, readonly [string, Kind]>> = {
  warmup: ['warmup', number(SHARE)],
  decayStart: ['decay_start', number(SHARE)],
  finalRate: ['final_rate', number(SHARE)],
  gradClipNorm: ['grad_clip_norm', number(POSITIVE)],
  weightDecay: ['weight_decay', number(NOT_NEGATIVE)],
  beta1: ['beta1', number(MOMENT)],
  beta2: ['beta2', number(MOMENT)],
  epsilon: ['epsilon', number(POSITIVE)],
  rewardMode: ['reward_mode', choice(REWARD_MODES)],
  rewardClipValue: ['reward_clip_value', number(POSITIVE)],
  energyGating: ['energy_gating', FLAG],
  relaxation: ['relaxation', number(SHARE)],
};

/** The controls of a profile for a run; those of `auto` follow its family and its sizes. */
export function profileControls(profile: ProfileName, run: RecipeQuestion): TrainingControls {
  if (profile !== 'auto') return profiles[profile];
  return { ...stableBaseline, ...controlsOfRecipe(run).controls };
}

/** What `auto` has chosen of the controls of a run, and why; nothing where another profile holds. */
export function chosenControls(
  profile: ProfileName,
  run: RecipeQuestion,
  used: TrainingControls,
): Choices {
  if (profile !== 'auto') return {};
  const { controls, reason } = controlsOfRecipe(run);
  const followed = Object.entries(controls).flatMap(([key, value]) => {
    const name = key as keyof TrainingControls;
    return used[name] === value ? [[CONTROLS[name][0], { value, reason }] as const] : [];
  });
  return Object.fromEntries(followed);
}

/**
 * The controls of a run: what the request or the command line gives wins over `TRAIN_<CONTROL>_OVERRIDE`
 * of the environment, and that over the profile, or its controls. `FORCE_HARD_SPIKE_PARITY=true` turns
 * relaxation off, whoever asked for it. Throws EngineError `invalid-setting` naming the variable or control,
 * its value and what was expected.
 */
export function controlsFor(
  profile: FixedProfile | TrainingControls,
  given: Partial<TrainingControls>,
  environment: Environment,
): TrainingControls {
  const isHard = checkVariables(environment);
  const own = typeof profile === 'string' ? profiles[profile] : profile;
  const controls: Record<string, Value> = { ...own };
  for (const key of Object.keys(CONTROLS) as (keyof TrainingControls)[]) {
    const [name, kind] = CONTROLS[key];
    const override = parseOverride(variableOf(name), environment, kind);
    const asked = given[key];
    if (asked !== undefined && !kind.accepts(asked)) refuse(name, String(asked), kind);
    const value = asked ?? override;
    if (value !== undefined) controls[key] = value;
  }
  if (isHard) controls['relaxation'] = 0;
  // Each value was accepted as its control's.
  return controls as unknown as TrainingControls;
}

/** Controls by their names on the wire in the engine's words; those that are left out stay so. */
export function controlsNamed(
  given: Readonly<Record<string, Value | undefined>>,
): Partial<TrainingControls> {
  const entries = Object.entries(CONTROLS).map(([key, [name]]) => [key, given[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

const VARIABLE = /^TRAIN_\w+_OVERRIDE$/;

function variableOf(name: string): string {
  return `TRAIN_${name.toUpperCase()}_OVERRIDE`;
}

function parseOverride(variable: string, environment: Environment, kind: Kind): Value | undefined {
  const text = environment[variable];
  if (text === undefined || text === '') return undefined;
  const value = kind.parse(text);
  if (!kind.accepts(value)) refuse(variable, text, kind);
  return value;
}

function refuse(name: string, text: string, { expected }: Kind): never {
  throw new EngineError('invalid-setting', `${name} is ${text}: expected ${expected}`);
}

const PARITY = 'FORCE_HARD_SPIKE_PARITY';

/** Whether only hard spikes are allowed. A misspelt variable would be one that nobody heeds. */
function checkVariables(environment: Environment): boolean {
  const known = Object.values(CONTROLS).map(([name]) => variableOf(name));
  for (const [variable, value] of Object.entries(environment)) {
    if (!value || !VARIABLE.test(variable) || known.includes(variable)) continue;
    throw new EngineError(
      'invalid-setting',
      `${variable} is ${value}: there is no such override, expected one of ${known.join(', ')}`,
    );
  }
  const parity = environment[PARITY];
  const isHard = parity ? parseFlag(parity) : false;
  if (isHard !== undefined) return isHard;
  throw new EngineError('invalid-setting', `${PARITY} is ${parity}: expected on or off`);
}
