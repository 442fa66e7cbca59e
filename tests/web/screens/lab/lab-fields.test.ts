import { describe, expect, it } from 'vitest';
import { ARCHITECTURES, familyDescriptions, PRESET_NAMES } from '../../../../engine/index.ts';
import {
  MODEL_FIELDS,
  presetOf,
  presetValues,
  valuesOf,
} from '../../../../web/model-form/model-values.ts';
import { enModel } from '../../../../web/model-form/en-model.ts';
import { FIELDS, formFrom, settingsFrom } from '../../../../web/screens/lab/lab-fields.ts';
import { readFields, writeFields } from '../../../../web/url-state/codec.ts';

const initial = readFields(FIELDS, '');
const untouched = readFields(MODEL_FIELDS, '');

describe('the fields of the lab', () => {
  it('start with what is measured for the first family, with nothing in the address', () => {
    expect(presetOf(initial.architecture, untouched)).toBe('auto');
    expect(settingsFrom(initial, untouched).budget).toEqual({ kind: 'minutes', minutes: 2.5 });
    expect(writeFields(FIELDS, initial, '')).toBe('');
    expect(writeFields(MODEL_FIELDS, untouched, '')).toBe('');
  });

  // Both stand in one address: the k of sampling once was the experts of a sparse model as well.
  it('share no name with those of a model', () => {
    expect(Object.keys(FIELDS).filter((name) => name in MODEL_FIELDS)).toEqual([]);
  });

  // Presets only fill editable fields; later edits stay possible.
  const presets = ARCHITECTURES.flatMap((architecture) =>
    PRESET_NAMES.map((name) => [architecture, name] as const),
  );
  it.each(presets)(
    'rule 7: of %s are filled by the preset %s, and edits stay',
    (architecture, name) => {
      const fields = { ...initial, architecture };
      const model = { ...untouched, ...presetValues(architecture, name) };
      const { fields: sizes, batch, learningRate } = familyDescriptions[architecture].presets[name];
      const preset = { fields: sizes, batch, learningRate };

      expect(presetOf(architecture, model)).toBe(name);
      expect(settingsFrom(fields, model)).toMatchObject(preset);

      const batch_size = preset.batch + 1;
      expect(presetOf(architecture, { ...model, batch_size })).toBe('custom');
      expect(settingsFrom(fields, { ...model, batch_size })).toMatchObject({
        fields: preset.fields,
        batch: batch_size,
      });
    },
  );

  it('come back from the address and from a checkpoint as they were', () => {
    const fields = {
      ...initial,
      budget: 1.5,
      budget_in: 'epochs',
      seed: 42,
      text: 'stories',
    } as const;
    const model = { ...untouched, d_model: 48, learning_rate: 0.0025 };

    expect(readFields(FIELDS, writeFields(FIELDS, fields, ''))).toEqual(fields);
    expect(readFields(MODEL_FIELDS, writeFields(MODEL_FIELDS, model, ''))).toEqual(model);
    const settings = settingsFrom(fields, model);
    expect(settings).toMatchObject({
      fields: { d_model: 48 },
      learningRate: 0.0025,
      budget: { kind: 'epochs', epochs: 1.5 },
    });
    const form = formFrom(settings);
    expect(settingsFrom({ ...initial, ...form.fields }, { ...untouched, ...form.model })).toEqual({
      ...settings,
      chosen: {},
    });
  });

  it('take only whole steps, and minutes as they are', () => {
    const budgetOf = (change: Partial<typeof initial>) =>
      settingsFrom({ ...initial, ...change }, untouched).budget;

    expect(budgetOf({ budget: 10.4, budget_in: 'steps' })).toEqual({ kind: 'steps', steps: 10 });
    expect(budgetOf({ budget: 0.001, budget_in: 'steps' })).toEqual({ kind: 'steps', steps: 1 });
    expect(budgetOf({ budget: 2.5, budget_in: 'minutes' })).toEqual({
      kind: 'minutes',
      minutes: 2.5,
    });
  });

  it('fall back to their own values where the address has none that are possible', () => {
    const search = '?d_model=zero&n_heads=-1&seq_len=1.5&text=tolstoy&top_p=3';

    expect(readFields(FIELDS, search)).toEqual(initial);
    expect(valuesOf(initial.architecture, readFields(MODEL_FIELDS, search))).toEqual(
      valuesOf(initial.architecture, untouched),
    );
  });

  it.each(ARCHITECTURES)('of %s have words', (architecture) => {
    const { fields, presets: named } = familyDescriptions[architecture];
    const keys = [
      ...Object.keys(fields).map((name) => `modelField.${name}`),
      ...Object.keys(named).map((name) => `preset.${name}`),
      `architecture.${architecture}`,
    ];

    expect(keys.filter((key) => !(key in enModel))).toEqual([]);
  });
});
