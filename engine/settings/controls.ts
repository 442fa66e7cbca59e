import { EngineError } from '../errors.ts';

/** How the loss becomes a reward, or that there is none. */
export const REWARD_MODES = ['off', 'ema_delta', 'raw', 'clipped_raw'] as const;

/** Rules that neurons learn by besides the gradient. */
export interface NeuronRules {
  /** How the loss becomes the reward that moves LIF's beta and the energy supply. */
  readonly rewardMode: (typeof REWARD_MODES)[number];
  /** Largest reward in either direction. */
  readonly rewardClipValue: number;
  /** True where spikes cost energy. */
  readonly energyGating: boolean;
  /** Fraction of the budget over which LIF's spikes go from a sigmoid to hard ones; 0: hard from the start. */
  readonly relaxation: number;
}

/** The rules of neurons that learn by the gradient alone. */
export const plainRules = {
  rewardMode: 'off',
  rewardClipValue: 0.5,
  energyGating: false,
  relaxation: 0,
} as const satisfies NeuronRules;

/** Controls of the optimiser, its schedule and the neuron rules: recorded by a run, rarely set by a user. */
export interface TrainingControls extends NeuronRules {
  /** Fraction of the budget over which the rate rises from 0. */
  readonly warmup: number;
  /** Fraction of the budget before which the rate does not fall. */
  readonly decayStart: number;
  /** Fraction of the submitted rate that is left at the end of the cosine. */
  readonly finalRate: number;
  /** Largest global norm of the gradient. */
  readonly gradClipNorm: number;
  /** On matrices only. */
  readonly weightDecay: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  /**
   * Fraction of the steps so far that the average of the weights looks back over; 0: none. The run learns on with its
   * weights, and whatever uses the model has their average.
   */
  readonly average: number;
}

/** The stable_baseline profile (spec/models: convergence profiles). */
export const stableBaseline: TrainingControls = {
  warmup: 0.05,
  decayStart: 0,
  finalRate: 0.1,
  gradClipNorm: 1,
  weightDecay: 0.1,
  beta1: 0.9,
  beta2: 0.95,
  epsilon: 1e-8,
  average: 0,
  rewardMode: 'ema_delta',
  rewardClipValue: 0.5,
  energyGating: true,
  relaxation: 0,
};

export const PROFILE_NAMES = [
  'auto',
  'stable_baseline',
  'stable_plus',
  'stable_converge',
  'aggressive_convergence',
] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];

/** Profiles of fixed values; those of `auto` are the recipe's. */
type FixedProfile = Exclude<ProfileName, 'auto'>;

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

/** The values that a control takes, and how to read one from text: undefined where it cannot be read. */
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

/** Reads a flag of a command line or a variable; undefined for text that is neither on nor off. */
export function parseFlag(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (['on', 'true', 'yes', '1'].includes(word)) return true;
  return ['off', 'false', 'no', '0'].includes(word) ? false : undefined;
}

/** Each control with its wire name, after which its variable is named, and the values that it takes. */
const CONTROLS = {
  warmup: ['warmup', number(SHARE)],
  decayStart: ['decay_start', number(SHARE)],
  finalRate: ['final_rate', number(SHARE)],
  gradClipNorm: ['grad_clip_norm', number(POSITIVE)],
  weightDecay: ['weight_decay', number(NOT_NEGATIVE)],
  beta1: ['beta1', number(MOMENT)],
  beta2: ['beta2', number(MOMENT)],
  epsilon: ['epsilon', number(POSITIVE)],
  average: ['average', number(SHARE)],
  rewardMode: ['reward_mode', choice(REWARD_MODES)],
  rewardClipValue: ['reward_clip_value', number(POSITIVE)],
  energyGating: ['energy_gating', FLAG],
  relaxation: ['relaxation', number(SHARE)],
} as const satisfies Readonly<Record<keyof TrainingControls, readonly [string, Kind]>>;

type NamedControls = {
  readonly [Key in keyof TrainingControls as (typeof CONTROLS)[Key][0]]: TrainingControls[Key];
};

// Object.keys loses the type of the keys.
const CONTROL_KEYS = Object.keys(CONTROLS) as (keyof TrainingControls)[];

/**
 * The controls of a run: what the request or the command line gives wins over `TRAIN_<CONTROL>_OVERRIDE`
 * of the environment, and that over the profile, or its controls. `FORCE_HARD_SPIKE_PARITY=true` turns
 * relaxation off, whatever requested it. Throws EngineError `invalid-setting` naming the variable or control,
 * its value and what was expected.
 */
export function controlsFor(
  profile: FixedProfile | TrainingControls,
  given: Partial<TrainingControls>,
  environment: Environment,
): TrainingControls {
  const isHard = checkVariables(environment);
  const own = typeof profile === 'string' ? profiles[profile] : profile;
  const values = CONTROL_KEYS.map((key) => {
    const [name, kind] = CONTROLS[key];
    const override = parseOverride(variableOf(name), environment, kind);
    const asked = given[key];
    if (asked !== undefined && !kind.accepts(asked)) refuse(name, String(asked), kind);
    return [key, asked ?? override ?? own[key]] as const;
  });
  return { ...own, ...Object.fromEntries(values), ...(isHard && { relaxation: 0 }) };
}

/** Controls by their wire names in the engine's words; those that are left out stay so. */
export function controlsNamed(given: Readonly<Record<string, unknown>>): Partial<TrainingControls> {
  const entries = CONTROL_KEYS.map((key) => [key, given[CONTROLS[key][0]]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** The wire name of a control. */
export const controlName = (key: keyof TrainingControls): string => CONTROLS[key][0];

/** Controls by their wire names. */
export function namedControls(controls: TrainingControls): NamedControls {
  const named = CONTROL_KEYS.map((key) => [CONTROLS[key][0], controls[key]]);
  // Each control has the type of its key.
  return Object.fromEntries(named) as NamedControls;
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

/** Tells whether only hard spikes are allowed. A misspelt variable would be ignored silently. */
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
