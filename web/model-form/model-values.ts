import {
  type Architecture,
  type Asked,
  chooseSettings,
  expectation,
  type Field,
  type Fields,
  familyDescriptions,
  type FieldTable,
  type FieldValue,
  initialFields,
  PRESET_NAMES,
  type PresetName,
  type ProfileName,
  type RunSettings,
} from '../../engine/index.ts';
import type { NumberRule } from '../ui/number-input.ts';
import type { Field as UrlField } from '../url-state/fields.ts';

/** Fields that every family has in addition to its own. */
const SHARED: FieldTable = {
  batch_size: { kind: 'whole', min: 1, max: 65_536, initial: 16 },
  learning_rate: { kind: 'number', min: 1e-7, max: 10, initial: 1e-3 },
};

/** Fields of every run, whatever model it continues from. */
export const SHARED_NAMES: readonly string[] = Object.keys(SHARED);

/**
 * Chosen values of a model, by wire name; null where nothing was chosen and the default of the family
 * applies. Families share the fields that they have in common.
 */
export type ModelValues = Readonly<Record<string, FieldValue | null>>;

/** The fields of a family in the order in which they are shown. */
export function fieldsOf(architecture: Architecture): FieldTable {
  return { ...familyDescriptions[architecture].fields, ...SHARED };
}

/** The model in the address: one member for each field of any family. */
export const MODEL_FIELDS: Readonly<Record<string, UrlField<FieldValue | null>>> =
  Object.fromEntries(
    Object.values(familyDescriptions)
      .flatMap(({ fields }) => Object.keys(fields))
      .concat(Object.keys(SHARED))
      .map((name) => [name, urlField()]),
  );

/** The family decides which values are valid: see `valuesOf`. */
function urlField(): UrlField<FieldValue | null> {
  return {
    initial: null,
    read(written) {
      if (written === 'true' || written === 'false') return written === 'true';
      const value = Number(written);
      return written !== '' && Number.isFinite(value) ? value : written;
    },
    write: String,
  };
}

/** The values that somebody chose and that are possible, in the order of the fields. */
export function chosenOf(architecture: Architecture, model: ModelValues): Fields {
  const entries = Object.entries(fieldsOf(architecture)).flatMap(([name, field]) => {
    const chosen = model[name];
    const isPossible =
      chosen !== null && chosen !== undefined && expectation(field, chosen) === undefined;
    return isPossible ? [[name, chosen] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** The settings of a run: what somebody chose, and for the rest what the recipe of the family says. */
export function settingsOf(
  architecture: Architecture,
  model: ModelValues,
  run: Pick<Asked, 'seed' | 'budget' | 'profile'>,
): RunSettings {
  const { batch_size: batch, learning_rate: rate, ...fields } = chosenOf(architecture, model);
  const asked = {
    architecture,
    fields,
    ...(batch !== undefined && { batch: Number(batch) }),
    ...(rate !== undefined && { learningRate: Number(rate) }),
    ...run,
  };
  const settings = chooseSettings(asked);
  const own = initialFields(familyDescriptions[architecture].fields);
  return { ...settings, fields: { ...own, ...settings.fields } };
}

const ANY_RUN = { seed: 1, budget: { kind: 'steps', steps: 1 } } as const;

/** The value of every field: what was chosen, else what the recipe says, else the field's first. */
export function valuesOf(
  architecture: Architecture,
  model: ModelValues,
  profile?: ProfileName,
): Fields {
  const settings = settingsOf(architecture, model, { ...ANY_RUN, profile });
  const { fields, batch, learningRate } = settings;
  return { ...fields, batch_size: batch, learning_rate: learningRate };
}

/** The values that a preset puts into the fields; auto leaves all of them to the recipe. */
export function presetValues(architecture: Architecture, name: PresetName): ModelValues {
  if (name === 'auto') {
    const names = Object.keys(fieldsOf(architecture));
    return Object.fromEntries(names.map((field) => [field, null]));
  }
  const { fields, batch, learningRate } = familyDescriptions[architecture].presets[name];
  return { ...fields, batch_size: batch, learning_rate: learningRate };
}

/** The preset whose values were chosen: auto where none of its fields was. */
export function presetOf(architecture: Architecture, model: ModelValues): PresetName | 'custom' {
  const { presets } = familyDescriptions[architecture];
  const filled = ['batch_size', 'learning_rate', ...Object.keys(presets.auto.fields)];
  const chosen = chosenOf(architecture, model);
  if (filled.every((field) => chosen[field] === undefined)) return 'auto';
  const values = valuesOf(architecture, model);
  const hasAll = (name: PresetName) =>
    Object.entries(presetValues(architecture, name)).every(
      ([field, value]) => values[field] === value,
    );
  return PRESET_NAMES.find((name) => name !== 'auto' && hasAll(name)) ?? 'custom';
}

type NumberOfModel = Extract<Field, { kind: 'whole' | 'number' }>;

/** The range of a numeric model field, as a rule of the form. */
export function ruleOf({ kind, min, max }: NumberOfModel): NumberRule {
  return { kind: kind === 'whole' ? 'integer' : 'decimal', min, max };
}

/** How far an arrow key goes from a value. */
export function arrowStep({ kind, max }: NumberOfModel, value: number): number {
  if (kind === 'number') return value < 0.1 ? 0.001 : 0.1;
  return max > 1000 && value >= 8 ? 8 : 1;
}
