import { EngineError } from '../errors.ts';

export type FieldValue = number | string | boolean;

/** Values of fields by their names on the wire, such as `d_model`. */
export type Fields = Readonly<Record<string, FieldValue>>;

/** One thing that a user chooses about a model or its data: what it may be, and what it is at first. */
export type Field =
  | {
      readonly kind: 'whole' | 'number';
      readonly min: number;
      readonly max: number;
      readonly initial: number;
    }
  | { readonly kind: 'choice'; readonly choices: readonly string[]; readonly initial: string }
  | { readonly kind: 'flag'; readonly initial: boolean }
  /** Any text up to a length; empty where there is none. */
  | { readonly kind: 'text'; readonly max: number; readonly initial: string };

/** All fields of a family by their names on the wire: it accepts these and no others. */
export type FieldTable = Readonly<Record<string, Field>>;

/** The values of a table's fields. */
export type FieldsOf<Table extends FieldTable> = {
  readonly [Name in keyof Table]: Table[Name] extends { kind: 'flag' }
    ? boolean
    : Table[Name] extends { choices: readonly (infer Choice)[] }
      ? Choice
      : Table[Name] extends { kind: 'text' }
        ? string
        : number;
};

export const whole = (initial: number, min: number, max: number) =>
  ({ kind: 'whole', min, max, initial }) as const;

export const number = (initial: number, min: number, max: number) =>
  ({ kind: 'number', min, max, initial }) as const;

/** The first choice is the one that holds by default. */
export const choice = <const Choices extends readonly [string, ...string[]]>(...choices: Choices) =>
  ({ kind: 'choice', choices, initial: choices[0] }) as const;

export const flag = (initial: boolean) => ({ kind: 'flag', initial }) as const;

export const text = (max: number) => ({ kind: 'text', max, initial: '' }) as const;

/** Initial values of all fields. */
export function initialFields<Table extends FieldTable>(table: Table): FieldsOf<Table> {
  const entries = Object.entries(table).map(([name, { initial }]) => [name, initial]);
  return Object.fromEntries(entries) as FieldsOf<Table>;
}

/**
 * The fields given, checked, with first values for the others. Throws EngineError `invalid-setting` that
 * names a field that `owner` does not have, or a value and what was expected.
 */
export function readFields<Table extends FieldTable>(
  owner: string,
  table: Table,
  given: Fields,
): FieldsOf<Table> {
  for (const [name, value] of Object.entries(given)) {
    const field = table[name];
    if (!field) {
      refuse(`${owner} has no field ${name}: expected only ${Object.keys(table).join(', ')}`);
    }
    const expected = expectation(field, value);
    if (expected !== undefined) refuse(`${owner}: ${name} is ${value}: expected ${expected}`);
  }
  return { ...initialFields(table), ...given } as FieldsOf<Table>;
}

/** The expectation of a field that a value does not meet; undefined where it does. */
export function expectation(field: Field, value: unknown): string | undefined {
  if (field.kind === 'flag') return typeof value === 'boolean' ? undefined : 'true or false';
  if (field.kind === 'text') return textExpectation(field, value);
  if (field.kind !== 'choice') return numberExpectation(field, value);
  const isOne = typeof value === 'string' && field.choices.includes(value);
  return isOne ? undefined : `one of ${field.choices.join(', ')}`;
}

function textExpectation({ max }: { readonly max: number }, value: unknown): string | undefined {
  const isText = typeof value === 'string' && value.length <= max;
  return isText ? undefined : `a text of at most ${max} characters`;
}

function numberExpectation(
  { kind, min, max }: Extract<Field, { kind: 'whole' | 'number' }>,
  value: unknown,
): string | undefined {
  const isWhole = kind === 'whole';
  const isNumber = isWhole ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (isNumber && Number(value) >= min && Number(value) <= max) return undefined;
  return `a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}`;
}

function refuse(message: string): never {
  throw new EngineError('invalid-setting', message);
}
