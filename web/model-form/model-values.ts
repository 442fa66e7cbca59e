import {
  type Architecture,
  expectation,
  type Field,
  familyFacts,
  type FieldTable,
  type FieldValue,
} from '../../engine/index.ts';
import type { NumberRule } from '../ui/number-input.ts';
import type { Field as UrlField } from '../url-state/fields.ts';

/** What every family has beside its own fields. */
const SHARED: FieldTable = {
  batch_size: { kind: 'whole', least: 1, most: 65_536, initial: 16 },
  learning_rate: { kind: 'number', least: 1e-7, most: 10, initial: 1e-3 },
};

/** Fields of every run, whatever model it goes on from. */
export const SHARED_NAMES: readonly string[] = Object.keys(SHARED);

/**
 * What somebody chose about the model, by the names on the wire; null where nothing was, and the family's
 * first preset holds. Families share what they have in common.
 */
export type ModelValues = Readonly<Record<string, FieldValue | null>>;

/** The fields of a family in the order in which they are shown. */
export function fieldsOf(architecture: Architecture): FieldTable {
  return { ...familyFacts[architecture].fields, ...SHARED };
}

/** The model in the address: one member for each field of any family. */
export const MODEL_FIELDS: Readonly<Record<string, UrlField<FieldValue | null>>> =
  Object.fromEntries(
    Object.values(familyFacts)
      .flatMap(({ fields }) => Object.keys(fields))
      .concat(Object.keys(SHARED))
      .map((name) => [name, urlField()]),
  );

/** What may stand there is for the family to say: see `valuesOf`. */
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

/** The value of every field: what was chosen, else what the preset says, else the field's first. */
export function valuesOf(
  architecture: Architecture,
  model: ModelValues,
): Readonly<Record<string, FieldValue>> {
  const [first = ''] = Object.keys(familyFacts[architecture].presets);
  const preset = presetValues(architecture, first);
  const entries = Object.entries(fieldsOf(architecture)).map(([name, field]) => {
    const chosen = model[name];
    const isPossible = chosen !== null && expectation(field, chosen) === undefined;
    return [name, (isPossible ? chosen : undefined) ?? preset[name] ?? field.initial] as const;
  });
  return Object.fromEntries(entries);
}

/** The values that a preset puts into the fields. */
export function presetValues(
  architecture: Architecture,
  name: string,
): Readonly<Record<string, FieldValue>> {
  const preset = familyFacts[architecture].presets[name];
  if (!preset) return {};
  const { fields, batch, learningRate } = preset;
  return { ...fields, batch_size: batch, learning_rate: learningRate };
}

/** The preset whose values the model has, if it has those of any. */
export function presetOf(architecture: Architecture, model: ModelValues): string {
  const values = valuesOf(architecture, model);
  const names = Object.keys(familyFacts[architecture].presets);
  const hasAll = (name: string) =>
    Object.entries(presetValues(architecture, name)).every(
      ([field, value]) => values[field] === value,
    );
  return names.find(hasAll) ?? 'custom';
}

type NumberOfModel = Extract<Field, { kind: 'whole' | 'number' }>;

/** What a number of the model may be, in the words of the form. */
export function ruleOf({ kind, least: min, most: max }: NumberOfModel): NumberRule {
  return { kind: kind === 'whole' ? 'integer' : 'decimal', min, max };
}

/** How far an arrow key goes from a value. */
export function arrowStep({ kind, most }: NumberOfModel, value: number): number {
  if (kind === 'number') return value < 0.1 ? 0.001 : 0.1;
  return most > 1000 && value >= 8 ? 8 : 1;
}
