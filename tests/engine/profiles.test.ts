import { describe, expect, it } from 'vitest';
import { controlsOf, TrainingExecution } from '../../engine/checkpoint/training-state.ts';
import { executionOf } from '../../engine/models/start-run.ts';
import { presets, runSettingsOf } from '../../engine/models/dense-chronospike/settings.ts';
import {
  controlsFor,
  plainRules,
  PROFILE_NAMES,
  profiles,
  stableBaseline,
  type TrainingControls,
} from '../../engine/settings/controls.ts';
import { profileControls } from '../../engine/models/choices.ts';
import { learningRateAt } from '../../engine/optimizers/learning-rate.ts';

import fc from 'fast-check';

const ema = { rewardMode: 'ema_delta', energyGating: true } as const;

describe('rule 8, convergence profiles: a profile', () => {
  // spec/models: betas .9 .95, weight decay .1 and a cosine to 10 % in all of them.
  it.each([
    [
      'stable_baseline',
      {
        ...{ warmup: 0.05, decayStart: 0, gradClipNorm: 1 },
        ...{ ...ema, rewardClipValue: 0.5, relaxation: 0 },
      },
    ],
    [
      'stable_plus',
      {
        ...{ warmup: 0.1, decayStart: 0, gradClipNorm: 0.5 },
        ...{ ...ema, rewardClipValue: 0.2, relaxation: 0.3 },
      },
    ],
    [
      'stable_converge',
      {
        ...{ warmup: 0.1, decayStart: 0, gradClipNorm: 0.5 },
        ...{ rewardMode: 'off', energyGating: false, rewardClipValue: 0.2, relaxation: 0 },
      },
    ],
    [
      'aggressive_convergence',
      {
        ...{ warmup: 0.02, decayStart: 0.8, gradClipNorm: 2 },
        ...{ rewardMode: 'clipped_raw', energyGating: true, rewardClipValue: 1, relaxation: 0 },
      },
    ],
  ] as const)('%s has the values of the specification', (name, own) => {
    expect(profiles[name]).toEqual({
      finalRate: 0.1,
      weightDecay: 0.1,
      beta1: 0.9,
      beta2: 0.95,
      epsilon: 1e-8,
      average: 0,
      ...own,
    });
  });

  it('gives way to a variable, and both to what was given', () => {
    const environment = { TRAIN_WARMUP_OVERRIDE: '0.2', TRAIN_GRAD_CLIP_NORM_OVERRIDE: ' 3 ' };

    const controls = controlsFor('stable_plus', { warmup: 0.3 }, environment);

    expect(controls).toEqual({ ...profiles.stable_plus, warmup: 0.3, gradClipNorm: 3 });
  });

  it('gives way to variables of every kind of control, and these to flags', () => {
    const environment = {
      TRAIN_REWARD_MODE_OVERRIDE: 'raw',
      TRAIN_REWARD_CLIP_VALUE_OVERRIDE: '0.7',
      TRAIN_ENERGY_GATING_OVERRIDE: 'false',
      TRAIN_RELAXATION_OVERRIDE: '0.5',
    };

    const { rewardMode, rewardClipValue, energyGating, relaxation } = controlsFor(
      'stable_baseline',
      { energyGating: true },
      environment,
    );

    expect({ rewardMode, rewardClipValue, energyGating, relaxation }).toEqual({
      rewardMode: 'raw',
      rewardClipValue: 0.7,
      energyGating: true,
      relaxation: 0.5,
    });
  });

  it('gives way to 0, which is a value like any other, but not to an empty variable', () => {
    const environment = { TRAIN_WARMUP_OVERRIDE: '0', TRAIN_EPSILON_OVERRIDE: '' };

    expect(controlsFor('stable_baseline', { weightDecay: 0 }, environment)).toEqual({
      ...stableBaseline,
      warmup: 0,
      weightDecay: 0,
    });
  });

  it.each<[string, Record<string, string>]>([
    ['TRAIN_WARMUP_OVERRIDE is 5%: expected a number from 0 to 1', { TRAIN_WARMUP_OVERRIDE: '5%' }],
    ['TRAIN_WARMUP_OVERRIDE is  : expected a number from 0 to 1', { TRAIN_WARMUP_OVERRIDE: ' ' }],
    [
      'TRAIN_GRAD_CLIP_NORM_OVERRIDE is 0: expected a positive number',
      { TRAIN_GRAD_CLIP_NORM_OVERRIDE: '0' },
    ],
    [
      'TRAIN_EPSILON_OVERRIDE is Infinity: expected a positive number',
      { TRAIN_EPSILON_OVERRIDE: 'Infinity' },
    ],
    [
      'TRAIN_BETA1_OVERRIDE is 1: expected a number from 0 to below 1',
      { TRAIN_BETA1_OVERRIDE: '1' },
    ],
    [
      'TRAIN_WEIGHT_DECAY_OVERRIDE is -1: expected a number of at least 0',
      { TRAIN_WEIGHT_DECAY_OVERRIDE: '-1' },
    ],
    [
      'TRAIN_WARMPU_OVERRIDE is 0.1: there is no such override, expected one of TRAIN_WARMUP_OVERRIDE, ' +
        'TRAIN_DECAY_START_OVERRIDE, TRAIN_FINAL_RATE_OVERRIDE, TRAIN_GRAD_CLIP_NORM_OVERRIDE, ' +
        'TRAIN_WEIGHT_DECAY_OVERRIDE, TRAIN_BETA1_OVERRIDE, TRAIN_BETA2_OVERRIDE, TRAIN_EPSILON_OVERRIDE, ' +
        'TRAIN_AVERAGE_OVERRIDE, TRAIN_REWARD_MODE_OVERRIDE, TRAIN_REWARD_CLIP_VALUE_OVERRIDE, TRAIN_ENERGY_GATING_OVERRIDE, ' +
        'TRAIN_RELAXATION_OVERRIDE',
      { TRAIN_WARMPU_OVERRIDE: '0.1' },
    ],
    [
      'TRAIN_REWARD_MODE_OVERRIDE is ema: expected one of off, ema_delta, raw, clipped_raw',
      { TRAIN_REWARD_MODE_OVERRIDE: 'ema' },
    ],
    [
      'TRAIN_ENERGY_GATING_OVERRIDE is maybe: expected on or off',
      { TRAIN_ENERGY_GATING_OVERRIDE: 'maybe' },
    ],
    ['FORCE_HARD_SPIKE_PARITY is 2: expected on or off', { FORCE_HARD_SPIKE_PARITY: '2' }],
  ])('is refused where %s', (message, environment) => {
    expect(() => controlsFor('stable_baseline', {}, environment)).toThrow(
      expect.objectContaining({ code: 'invalid-setting', message }),
    );
  });

  it('is refused where a given control is out of its range', () => {
    expect(() => controlsFor('stable_baseline', { gradClipNorm: Number.NaN }, {})).toThrow(
      'grad_clip_norm is NaN: expected a positive number',
    );
  });

  it.each([
    ['true', 0],
    ['false', 0.3],
    [undefined, 0.3],
  ])('relaxes spikes unless FORCE_HARD_SPIKE_PARITY is true: %s', (value, relaxation) => {
    const environment = { FORCE_HARD_SPIKE_PARITY: value };
    const controls = controlsFor('stable_plus', {}, environment);

    const { controls: recorded } = executionOf(runSettingsOf(settings), controls, 'stable_plus');
    expect(recorded).toMatchObject({ relaxation, hard_spike_parity: relaxation === 0 });
  });

  it('has its relaxation turned off by FORCE_HARD_SPIKE_PARITY, even where a flag asks for it', () => {
    const environment = { FORCE_HARD_SPIKE_PARITY: 'true', TRAIN_RELAXATION_OVERRIDE: '0.9' };

    expect(controlsFor('stable_plus', { relaxation: 0.5 }, environment).relaxation).toBe(0);
  });

  it('is recorded as far as the neurons know it: only LIF relaxes', () => {
    const { controls } = executionOf(
      runSettingsOf({ ...settings, neuron: 'EvoLIF' }),
      profiles.stable_plus,
    );

    expect(controls).toMatchObject({ relaxation: 0, reward_mode: 'ema_delta' });
  });

  it('never touches what was submitted', () => {
    for (const name of PROFILE_NAMES) {
      const controls = profileControls(name, runSettingsOf(settings));
      const { submitted, effective } = executionOf(runSettingsOf(settings), controls, name);
      expect(effective).toEqual(submitted);
      expect(submitted.learning_rate).toBe(settings.learningRate);
    }
  });
});

const settings = { ...presets.tiny, seed: 1, budget: { kind: 'steps', steps: 10 } } as const;

/** Controls that early checkpoints lack. */
const LATER_CONTROLS = [
  ...['decay_start', 'hard_spike_parity', 'relaxation', 'average'],
  ...['reward_mode', 'reward_clip_value', 'energy_gating'],
];

describe('the record of a run', () => {
  it.each(PROFILE_NAMES)('gives back the controls of %s, and names it', (name) => {
    const controls = profileControls(name, runSettingsOf(settings));
    const record = executionOf(runSettingsOf(settings), controls, name);
    const read = TrainingExecution.parse(JSON.parse(JSON.stringify(record)));

    expect(read.convergence_profile).toBe(name);
    expect(controlsOf(read)).toEqual(controls);
  });

  it('of a run of before the profiles is read as the baseline that it was', () => {
    const record = JSON.parse(
      JSON.stringify(executionOf(runSettingsOf(settings), stableBaseline)),
    ) as {
      controls: Record<string, unknown>;
    };
    for (const later of LATER_CONTROLS) delete record.controls[later];

    const read = TrainingExecution.parse(record);

    expect(controlsOf(read)).toEqual({ ...stableBaseline, ...plainRules });
    expect(read.convergence_profile).toBeUndefined();
  });
});

describe('a rate that decays late', () => {
  const late = profiles.aggressive_convergence;
  const at = (progress: number, controls: TrainingControls = late) =>
    learningRateAt(2, controls, progress, 1000);

  it('is the submitted one from the warm-up to the start of the decay, and then falls to a tenth', () => {
    expect(at(0.02)).toBe(2);
    expect(at(0.8)).toBe(2);
    expect(at(0.9)).toBeCloseTo(2 * 0.55, 12);
    expect(at(1)).toBeCloseTo(0.2, 12);
  });

  it('never falls where the decay starts at the end', () => {
    expect(at(1, { ...late, decayStart: 1 })).toBe(2);
  });

  it('only falls, wherever the decay starts', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, share, share, (decayStart, a, b) => {
        const controls = { ...late, warmup: 0, decayStart };

        expect(at(Math.max(a, b), controls)).toBeLessThanOrEqual(at(Math.min(a, b), controls));
      }),
    );
  });
});
