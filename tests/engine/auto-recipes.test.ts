import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settingsOf } from '../../engine/checkpoint/training-state.ts';
import { dataFiles } from './captioned-files.ts';
import type { Backend } from '../../engine/graph/backend.ts';
import type { RunData } from '../../engine/checkpoint/run-data.ts';
import { asksForSpeed, recipeFor, runControls } from '../../engine/models/auto-recipes.ts';
import { type Asked, chooseSettings } from '../../engine/models/choices.ts';
import { familyDescriptions } from '../../engine/models/architectures.ts';
import { forecastOf, timeInWords } from '../../engine/models/forecast.ts';
import { loadFamily, type ModelFamily } from '../../engine/models/load-family.ts';
import { settleSettings } from '../../engine/models/settle-settings.ts';
import { executionOf } from '../../engine/models/start-run.ts';
import type { Budget } from '../../engine/settings/run-settings.ts';
import { wasmVariants } from './play.ts';

const { presets } = familyDescriptions.dense_chronospike;
const BOOK = 1_115_394;
const minutes = (count: number): Budget => ({ kind: 'minutes', minutes: count });
const steps = (count: number): Budget => ({ kind: 'steps', steps: count });
const asked = (changes: Partial<Asked> = {}): Asked => ({
  architecture: 'dense_chronospike',
  fields: {},
  seed: 1,
  budget: steps(2),
  ...changes,
});

describe('the recipe that auto stands for', () => {
  // A step of auto takes about 26 ms on two quiet cores, and 430 ms on a machine that is very busy.
  it.each([
    [
      'auto',
      /3 minutes are about 6923 steps/,
      { items: BOOK, budget: minutes(3), stepSeconds: 0.026 },
    ],
    [
      'long',
      /69231 steps .*: 25000 or more/,
      { items: BOOK, budget: minutes(30), stepSeconds: 0.026 },
    ],
    ['tiny', /20 s are about 47 steps/, { items: BOOK, budget: minutes(1 / 3), stepSeconds: 0.43 }],
    ['few', /10000 tokens, fewer than/, { items: 10_000, budget: minutes(3) }],
    ['few', /10000 tokens, fewer than/, { items: 10_000, budget: steps(50) }],
    ['auto', /1115394 tokens/, { items: BOOK, budget: steps(1_000_000) }],
  ] as const)('is %s: %o', (name, why, run) => {
    const taken = recipeFor('dense_chronospike', run);

    expect(taken.name).toBe(name);
    expect(taken.why).toMatch(why);
  });

  it.each([
    [1199, 'tiny'],
    [1200, 'auto'],
  ])('changes at its bound: a float transformer with time for %i steps', (count, name) => {
    const run = { items: BOOK, budget: minutes(1), stepSeconds: 60 / count };

    expect(recipeFor('standard_transformer', run).name).toBe(name);
  });

  it('is that of the preset where it has the name of one', () => {
    const run = { items: BOOK, budget: minutes(1), stepSeconds: 10 };

    expect(recipeFor('dense_chronospike', run).recipe).toBe(presets.tiny);
    expect(recipeFor('spiking_vision', run)).toMatchObject({
      name: 'auto',
      recipe: familyDescriptions.spiking_vision.presets.auto,
    });
  });

  it.each([
    [BOOK, minutes(1), true],
    [BOOK, steps(100), false],
    [BOOK, { kind: 'epochs', epochs: 1 } as const, false],
    [10_000, minutes(1), false],
  ])('needs the speed of the device only where it decides: %i, %o', (items, budget, isAsked) => {
    expect(asksForSpeed('dense_chronospike', { items, budget })).toBe(isAsked);
  });

  it.each(['few', 'long'] as const)('can be trained where it is %s', (name) => {
    const [items, budget] = name === 'few' ? [10_000, steps(2)] : [BOOK, minutes(600)];
    const taken = recipeFor('dense_chronospike', { items, budget, stepSeconds: 0.026 });
    const settings = chooseSettings(asked({ taken }));

    expect(taken.name).toBe(name);
    expect(settings.fields).toMatchObject(taken.recipe.fields);
    expect(taken.recipe.measured).toMatch(/\d/);
    const controls = runControls('auto', settings);
    expect(controls).toMatchObject(taken.recipe.controls);
    const record = executionOf(settings, controls, 'auto');
    expect(record.controls.chosen).toMatchObject({
      recipe: { value: name, reason: taken.why },
      weight_decay: { value: taken.recipe.controls.weightDecay },
    });
    // A run that resumes has the same values, and says the same of them.
    const resumed = settingsOf(record, 'dense_chronospike');
    expect(resumed).toEqual(settings);
    expect(executionOf(resumed, controls, 'auto')).toEqual(record);
  });
});

describe('settings that are settled', () => {
  let backend: Backend;
  let family: ModelFamily;
  let data: RunData;
  let opened = 0;
  const files = dataFiles({
    'text.txt': new TextEncoder().encode('To be, or not to be. '.repeat(200)),
  });

  beforeAll(async () => {
    backend = await wasmVariants['wasm, relaxed, 1 thread']();
    const loaded = await loadFamily('dense_chronospike');
    family = {
      ...loaded,
      createRun: (...given) => {
        opened++;
        return loaded.createRun(...given);
      },
    };
    data = await family.openData(files, chooseSettings(asked()));
  });
  afterAll(async () => {
    await data.close?.();
    backend.close();
  });
  const settle = (changes: Partial<Asked>, length = data.length) =>
    settleSettings(chooseSettings(asked(changes)), { family, backend, data: { ...data, length } });

  it('take the recipe of a short text, with the given values as they are', async () => {
    const { settings, forecast } = await settle({ learningRate: 0.123, seed: 7 });

    expect(settings).toMatchObject({ learningRate: 0.123, seed: 7, budget: steps(2) });
    expect(settings.chosen).toMatchObject({ recipe: { value: 'few' } });
    expect(settings.chosen).not.toHaveProperty('learning_rate');
    expect(forecast).toBeUndefined();
  });

  it('leave a run alone whose sizes were given', async () => {
    const first = chooseSettings(asked({ fields: { d_model: 48 } }));
    const { settings } = await settleSettings(first, { family, backend, data });

    expect(settings).toBe(first);
  });

  it('measure the device once where minutes are given, and name the time of a step', async () => {
    opened = 0;
    const runs = [
      await settle({ budget: minutes(1e-9) }, BOOK),
      await settle({ budget: minutes(1e-9) }, BOOK),
    ];

    expect(opened).toBe(1);
    for (const { settings } of runs) {
      expect(settings.fields).toMatchObject(presets.tiny.fields);
      expect(settings.chosen?.['recipe']?.reason).toMatch(/one takes [\d.]+ ms/);
    }
  });
});

describe('a forecast', () => {
  it('is the measured time of a step times the steps that the recipe needed', () => {
    const { fields, batch, learningRate } = presets.base;
    const base = chooseSettings(asked({ fields, batch, learningRate }));
    const forecast = forecastOf(base, 0.5);

    expect(forecast).toMatchObject({ stepSeconds: 0.5 });
    expect(forecast!.bigramSeconds).toBeGreaterThan(forecast!.unigramSeconds);
    expect(forecastOf({ ...base, learningRate: 1 }, 0.5)).toBeUndefined();
  });

  it.each([
    [0.2, '1 s'],
    [20, '20 s'],
    [150, '2.5 minutes'],
    [2400, '40 minutes'],
    [14_400, '4 hours'],
  ])('of %f seconds reads as %s', (seconds, words) => {
    expect(timeInWords(seconds)).toBe(words);
  });
});
