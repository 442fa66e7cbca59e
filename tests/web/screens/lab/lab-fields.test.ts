import { describe, expect, it } from 'vitest';
import { presets } from '../../../../engine/index.ts';
import {
  FIELDS,
  fieldsFrom,
  presetFields,
  presetOf,
  settingsFrom,
} from '../../../../web/screens/lab/lab-fields.ts';
import { readFields, writeFields } from '../../../../web/url-state/codec.ts';

const initial = readFields(FIELDS, '');

describe('the fields of the lab', () => {
  it('start as the tiny preset, with nothing in the address', () => {
    expect(presetOf(initial)).toBe('tiny');
    expect(writeFields(FIELDS, initial, '')).toBe('');
  });

  it.each(Object.keys(presets) as (keyof typeof presets)[])(
    'are filled by the preset %s, and edits stay',
    (name) => {
      const filled = { ...initial, ...presetFields(name) };
      expect(presetOf(filled)).toBe(name);
      expect(settingsFrom(filled)).toMatchObject(presets[name]);

      const edited = { ...filled, heads: filled.heads * 2 };
      expect(presetOf(edited)).toBe('custom');
      expect(settingsFrom(edited).heads).toBe(2 * presets[name].heads);
    },
  );

  it('come back from the address and from a checkpoint as they were', () => {
    const changed = {
      ...initial,
      d_model: 48,
      learning_rate: 0.0025,
      budget: 1.5,
      budget_in: 'epochs',
      seed: 42,
      text: 'stories',
    } as const;

    expect(readFields(FIELDS, writeFields(FIELDS, changed, ''))).toEqual(changed);
    const settings = settingsFrom(changed);
    expect(settings.budget).toEqual({ kind: 'epochs', epochs: 1.5 });
    expect(settingsFrom({ ...initial, ...fieldsFrom(settings) })).toEqual(settings);
  });

  it('take only whole steps, and minutes as they are', () => {
    expect(settingsFrom({ ...initial, budget: 10.4 }).budget).toEqual({ kind: 'steps', steps: 10 });
    expect(settingsFrom({ ...initial, budget: 0.001 }).budget).toEqual({ kind: 'steps', steps: 1 });
    expect(settingsFrom({ ...initial, budget: 2.5, budget_in: 'minutes' }).budget).toEqual({
      kind: 'minutes',
      minutes: 2.5,
    });
  });

  it('fall back to their own values where the address has none that are possible', () => {
    expect(readFields(FIELDS, '?d_model=zero&heads=-1&text=tolstoy&top_p=3')).toEqual(initial);
  });
});
