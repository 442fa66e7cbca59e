import { describe, expect, it } from 'vitest';
import {
  checkSettings,
  presets,
  structureOf,
  type TrainingSettings,
} from '../../engine/models/dense-chronospike/settings.ts';
import { type Budget } from '../../engine/settings/run-settings.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';

const good: TrainingSettings = { ...presets.tiny, seed: 1, budget: { kind: 'steps', steps: 100 } };

describe('training settings', () => {
  it.each(Object.keys(presets) as (keyof typeof presets)[])('of the preset %s are good', (name) => {
    expect(() => checkSettings({ ...good, ...presets[name] })).not.toThrow();
  });

  it('have the presets and the profile of the specification', () => {
    expect(presets).toMatchObject({
      small: { width: 128, heads: 4, blocks: 4, steps: 4, sequence: 64 },
      base: { width: 256, heads: 8, blocks: 6, steps: 4, sequence: 128 },
      large: { width: 512, heads: 8, blocks: 12, steps: 4, sequence: 256 },
    });
    expect(stableBaseline).toEqual({
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
    });
  });

  it('give time constants from 2 tokens to the length of a sequence, geometric over the heads', () => {
    const { tau } = structureOf({ ...good, heads: 4, sequence: 54 }, 65);

    expect(tau).toHaveLength(4);
    for (const [i, expected] of [2, 6, 18, 54].entries()) expect(tau[i]).toBeCloseTo(expected, 10);
    expect(structureOf({ ...good, heads: 1 }, 65).tau).toEqual([2]);
  });

  it.each<[string, Partial<TrainingSettings>]>([
    ['seq_len is 1: expected a whole number of at least 2', { sequence: 1 }],
    ['seq_len is 32.5: expected a whole number of at least 2', { sequence: 32.5 }],
    ['batch_size is 0: expected a whole number of at least 1', { batch: 0 }],
    ['batch_size is NaN: expected a whole number of at least 1', { batch: Number.NaN }],
    ['seed is -1: expected a whole number of at least 0', { seed: -1 }],
    ['seed is 9007199254740992: expected a whole number of at least 0', { seed: 2 ** 53 }],
    ['heads is 4294967296: expected at most d_model, which is 32', { heads: 2 ** 32 }],
    ['learning_rate is 0: expected a positive number', { learningRate: 0 }],
    ['learning_rate is -0.001: expected a positive number', { learningRate: -1e-3 }],
    ['learning_rate is NaN: expected a positive number', { learningRate: Number.NaN }],
    ['learning_rate is Infinity: expected a positive number', { learningRate: Infinity }],
    ['steps is 0: expected a whole number of at least 1', { budget: steps(0) }],
    ['steps is 1.5: expected a whole number of at least 1', { budget: steps(1.5) }],
    ['epochs is 0: expected a positive number', { budget: { kind: 'epochs', epochs: 0 } }],
    [
      'minutes is NaN: expected a positive number',
      { budget: { kind: 'minutes', minutes: Number.NaN } },
    ],
    ['minutes is -1: expected a positive number', { budget: { kind: 'minutes', minutes: -1 } }],
    [
      'minutes is Infinity: expected a positive number',
      { budget: { kind: 'minutes', minutes: Infinity } },
    ],
    [
      'epochs is Infinity: expected a positive number',
      { budget: { kind: 'epochs', epochs: Infinity } },
    ],
  ])('are refused where %s', (message, changes) => {
    expect(() => checkSettings({ ...good, ...changes })).toThrow(
      expect.objectContaining({ code: 'invalid-setting', message }),
    );
  });

  it.each<[string, Partial<TrainingSettings>]>([
    ['d_model 30 is not divisible by 4 heads: expected a multiple of 4', { width: 30, heads: 4 }],
    ['d_model is 0: expected a whole number from 1 to 16384', { width: 0, heads: 1 }],
    ['d_model is 1.5: expected a whole number from 1 to 16384', { width: 1.5 }],
    ['heads is 0: expected a whole number from 1 to 1024', { heads: 0 }],
    ['heads is -2: expected a whole number from 1 to 1024', { heads: -2 }],
    ['blocks is 0: expected a whole number from 1 to 256', { blocks: 0 }],
    ['time_steps is 0: expected a whole number from 1 to 1024', { steps: 0 }],
    ['time_steps is NaN: expected a whole number from 1 to 1024', { steps: Number.NaN }],
  ])('are refused as a structure where %s', (message, changes) => {
    expect(() => checkSettings({ ...good, ...changes })).toThrow(
      expect.objectContaining({
        code: 'invalid-structure',
        message: `dense_chronospike: ${message}`,
      }),
    );
  });
});

function steps(count: number): Budget {
  return { kind: 'steps', steps: count };
}
