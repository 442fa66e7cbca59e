import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../engine/checkpoint/training-state.ts';
import { executionOf } from '../../engine/models/start-run.ts';
import { type Asked, chooseSettings, profileControls } from '../../engine/models/choices.ts';
import { families } from '../../engine/models/families.ts';
import { ARCHITECTURES } from '../../engine/models/architectures.ts';
import { controlsFor, stableBaseline } from '../../engine/settings/controls.ts';
import { PRESET_NAMES } from '../../engine/settings/recipes.ts';

const run = { seed: 1, budget: { kind: 'minutes', minutes: 2.5 } } as const;
const asked = (changes: Partial<Asked> = {}): Asked => ({
  architecture: 'dense_chronospike',
  fields: {},
  ...run,
  ...changes,
});
const all = ARCHITECTURES.flatMap((architecture) =>
  PRESET_NAMES.map((preset) => [architecture, preset] as const),
);

describe('the recipes', () => {
  it.each(all)('of %s have one for %s that can be trained and was measured', (family, preset) => {
    const { measured } = families[family].presets[preset];
    const settings = chooseSettings(asked({ architecture: family, preset }));

    expect(() => families[family].check(settings)).not.toThrow();
    const controls = profileControls('auto', { ...settings, preset });
    expect(controlsFor(controls, {}, {})).toEqual(controls);
    expect(measured).toMatch(/\d/);
  });
});

describe('what is left out of a run (ruling A17)', () => {
  it('is chosen by the recipe and recorded among the controls with its reason', () => {
    const settings = chooseSettings(asked({ fields: { num_blocks: 3 } }));
    const { fields, batch, learningRate, controls, measured } =
      families.dense_chronospike.presets.auto;
    const reason = `the recipe auto of dense_chronospike: ${measured}`;

    expect(settings).toMatchObject({ fields: { ...fields, num_blocks: 3 }, batch, learningRate });
    const used = { ...stableBaseline, ...controls };
    expect(profileControls('auto', settings)).toEqual(used);
    const { chosen } = executionOf(settings, used, 'auto').controls;
    expect(chosen).toMatchObject({
      learning_rate: { value: learningRate, reason },
      beta2: { value: 0.99, reason },
      average: { value: 0.05, reason },
    });
    expect(chosen).not.toHaveProperty('num_blocks');
    const other = executionOf(settings, { ...used, beta2: 0.9 }, 'auto');
    expect(other.controls.chosen).not.toHaveProperty('beta2');
  });

  it('is remembered by a run that resumes', () => {
    const settings = chooseSettings(asked());
    const record = executionOf(settings, profileControls('auto', settings), 'auto');

    expect(settingsOf(record, 'dense_chronospike')).toEqual(settings);
  });

  it('never touches what was given', () => {
    const given = { d_model: 96, n_heads: 6, num_blocks: 1, time_steps: 3, seq_len: 40 };
    const settings = chooseSettings(asked({ fields: given, batch: 5, learningRate: 0.123 }));

    expect(settings).toMatchObject({ fields: given, batch: 5, learningRate: 0.123, ...run });
    const chosen = Object.keys(settings.chosen ?? {});
    expect(chosen).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/d_model|seq_len|rate/)]),
    );
  });

  it('is that of the sizes nearest to those given, with heads that divide the width', () => {
    const small = chooseSettings(asked({ fields: { d_model: 30, seq_len: 32 } }));
    const large = chooseSettings(asked({ fields: { d_model: 500, num_blocks: 12 } }));

    expect(small.learningRate).toBe(families.dense_chronospike.presets.tiny.learningRate);
    expect(large.batch).toBe(families.dense_chronospike.presets.large.batch);
    expect(large.fields['n_heads']).toBe(5);
  });

  it('rule 9: is 64 tokens and 0.0001 for the choice stable_baseline, and no other', () => {
    const baseline = chooseSettings(asked({ profile: 'stable_baseline', preset: 'base' }));
    const plus = chooseSettings(asked({ profile: 'stable_plus' }));

    expect(baseline).toMatchObject({ fields: { d_model: 256, seq_len: 64 }, learningRate: 1e-4 });
    expect(plus.learningRate).toBe(families.dense_chronospike.presets.auto.learningRate);
    expect(chooseSettings(asked({ profile: 'stable_baseline', learningRate: 0.5 }))).toMatchObject({
      learningRate: 0.5,
    });
  });

  it('is as the base model has it, where there is one', () => {
    const settings = chooseSettings(
      asked({ base: { name: 'mine 1.0.0', spec: { d_model: 64, n_heads: 8 } } }),
    );

    expect(settings.fields).toMatchObject({ d_model: 64, n_heads: 8 });
    expect(settings.chosen).toMatchObject({
      d_model: { value: 64, reason: 'as in the base model mine 1.0.0' },
    });
  });
});
