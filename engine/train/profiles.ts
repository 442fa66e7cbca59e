import { EngineError } from '../errors.ts';
import { stableBaseline, type TrainingControls } from './settings.ts';

export const PROFILE_NAMES = [
  'stable_baseline',
  'stable_plus',
  'stable_converge',
  'aggressive_convergence',
] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];

/**
 * The convergence profiles as far as the engine trains by them: warm-up, start of the decay and
 * clipping (spec/models). What they say of rewards, energy gating and relaxation is not done yet, so
 * that `stable_plus` and `stable_converge` are the same for now; `training_execution` records only
 * controls that were used.
 */
export const profiles: Readonly<Record<ProfileName, TrainingControls>> = {
  stable_baseline: stableBaseline,
  stable_plus: { ...stableBaseline, warmup: 0.1, gradClipNorm: 0.5 },
  stable_converge: { ...stableBaseline, warmup: 0.1, gradClipNorm: 0.5 },
  aggressive_convergence: { ...stableBaseline, warmup: 0.02, decayStart: 0.8, gradClipNorm: 2 },
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

/** Each control with its name on the wire, from which its variable has its name, and what it may be. */
const CONTROLS: Readonly<Record<keyof TrainingControls, readonly [string, Range]>> = {
  warmup: ['warmup', SHARE],
  decayStart: ['decay_start', SHARE],
  finalRate: ['final_rate', SHARE],
  gradClipNorm: ['grad_clip_norm', POSITIVE],
  weightDecay: ['weight_decay', NOT_NEGATIVE],
  beta1: ['beta1', MOMENT],
  beta2: ['beta2', MOMENT],
  epsilon: ['epsilon', POSITIVE],
};

/**
 * The controls of a run: what the request or the command line gives wins over `TRAIN_<CONTROL>_OVERRIDE`
 * of the environment, and that over the profile. `FORCE_HARD_SPIKE_PARITY` needs no rule here: spikes
 * are never relaxed yet, so that its `true` always holds and `false` changes nothing. Throws EngineError
 * `invalid-setting` naming the variable or control, its value and what was expected.
 */
export function controlsFor(
  profile: ProfileName,
  given: Partial<TrainingControls>,
  environment: Environment,
): TrainingControls {
  checkVariables(environment);
  const controls: Draft = { ...profiles[profile] };
  for (const key of Object.keys(CONTROLS) as (keyof TrainingControls)[]) {
    const [name, range] = CONTROLS[key];
    const override = parseOverride(variableOf(name), environment, range);
    if (given[key] !== undefined) checkRange(name, given[key], range);
    controls[key] = given[key] ?? override ?? controls[key];
  }
  return controls;
}

type Draft = { -readonly [K in keyof TrainingControls]: TrainingControls[K] };

const VARIABLE = /^TRAIN_\w+_OVERRIDE$/;

function variableOf(name: string): string {
  return `TRAIN_${name.toUpperCase()}_OVERRIDE`;
}

function parseOverride(
  variable: string,
  environment: Environment,
  range: Range,
): number | undefined {
  const text = environment[variable];
  if (text === undefined || text === '') return undefined;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  checkRange(variable, value, range, text);
  return value;
}

function checkRange(name: string, value: number, range: Range, text = String(value)): void {
  if (Number.isFinite(value) && range.accepts(value)) return;
  throw new EngineError('invalid-setting', `${name} is ${text}: expected ${range.expected}`);
}

const PARITY = 'FORCE_HARD_SPIKE_PARITY';

/** A misspelt variable would be one that nobody heeds. */
function checkVariables(environment: Environment): void {
  const known = Object.values(CONTROLS).map(([name]) => variableOf(name));
  for (const [variable, value] of Object.entries(environment)) {
    if (!value || !VARIABLE.test(variable) || known.includes(variable)) continue;
    throw new EngineError(
      'invalid-setting',
      `${variable} is ${value}: there is no such override, expected one of ${known.join(', ')}`,
    );
  }
  const parity = environment[PARITY];
  if (!parity || parity === 'true' || parity === 'false') return;
  throw new EngineError('invalid-setting', `${PARITY} is ${parity}: expected true or false`);
}
