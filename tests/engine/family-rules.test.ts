import { describe, expect, it } from 'vitest';
import { TrainingExecution } from '../../engine/checkpoint/training-state.ts';
import { executionOf } from '../../engine/models/start-run.ts';
import { families } from '../../engine/models/families.ts';
import { ARCHITECTURES } from '../../engine/models/architectures.ts';
import { type FamilyDescription } from '../../engine/settings/description.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';
import type { RunSettings } from '../../engine/settings/run-settings.ts';
import { checkResume } from '../../engine/train/resume.ts';
import { storedTraining } from './stored-model.ts';

/*
 * Rules of platform.md ("Language-model families") that hold for every family alike. The others are where
 * their subject is: docs/design/families.md names the test of each.
 */

const settingsOf = (architecture: RunSettings['architecture'], fields = {}): RunSettings => ({
  ...{ architecture, fields, batch: 7, learningRate: 0.003, seed: 5 },
  budget: { kind: 'epochs', epochs: 1.5 },
});

describe('every family that has heads', () => {
  const withHeads = ARCHITECTURES.filter((name) => 'n_heads' in families[name].fields);

  it.each(withHeads)('rule 1: as %s refuses a width that they do not divide', (name) => {
    const check = (d_model: number) =>
      families[name].check(settingsOf(name, { d_model, n_heads: 4 }));

    expect(() => check(32)).not.toThrow();
    expect(() => check(30)).toThrow(
      expect.objectContaining({
        code: 'invalid-structure',
        message: expect.stringContaining('d_model 30 is not divisible by 4 heads'),
      }),
    );
  });
});

describe('a model', () => {
  it('rule 2: is another one with the same d_model and anything else different', () => {
    const stored = storedTraining();
    const { data } = stored.state;
    const resumeAs = (change: object) => () =>
      checkResume(stored, { spec: { ...stored.spec, ...change }, data });

    expect(resumeAs({})).not.toThrow();
    expect(resumeAs({ num_blocks: 3 })).toThrow('num_blocks 2, the settings ask for 3');
    expect(resumeAs({ time_steps: 5 })).toThrow('time_steps 2, the settings ask for 5');
    expect(resumeAs({ architecture: 'standard_transformer' })).toThrow(
      'families do not share parameters',
    );
  });
});

describe('the record of a run', () => {
  it.each(ARCHITECTURES)('rule 6: of %s has what was submitted as what held', (name) => {
    const { presets }: FamilyDescription = families[name];
    const [preset] = Object.values(presets);
    const settings = settingsOf(name, preset?.fields);

    const record = executionOf(settings, stableBaseline, 'stable_baseline');
    const { submitted, effective, controls } = TrainingExecution.parse(
      JSON.parse(JSON.stringify(record)),
    );

    expect(submitted).toMatchObject({
      ...preset?.fields,
      ...{ batch_size: 7, learning_rate: 0.003, budget: settings.budget },
    });
    expect(effective).toEqual(submitted);
    expect(controls).toMatchObject({ warmup: 0.05, grad_clip_norm: 1, weight_decay: 0.1 });
  });
});
