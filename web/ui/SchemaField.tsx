import { useState } from 'react';
import * as z from 'zod/mini';
import { parseNumber } from './number-input.ts';
import { controlOf, type SchemaControl } from './schema-control.ts';
import { SelectField } from './SelectField.tsx';
import { TextField } from './TextField.tsx';
import { Toggle } from './Toggle.tsx';

type ObjectSchema = z.ZodMiniObject;

/**
 * A form as it is typed. Texts, numbers and choices are strings, empty where nothing is entered; a switch
 * is a boolean; fields without a control of their own hold their value.
 */
type Draft<Schema extends ObjectSchema> = {
  readonly [Name in keyof z.input<Schema>]?: z.input<Schema>[Name] | string;
};

/** The props of a field that come from the form. */
interface FormField {
  readonly control: SchemaControl;
  readonly value: unknown;
  /** Whether what is entered, or missing after a first try to submit, is refused by the schema. */
  readonly isWrong: boolean;
  readonly onChange: (value: string | boolean) => void;
}

interface SchemaForm<Schema extends ObjectSchema> {
  readonly draft: Draft<Schema>;
  readonly change: (change: Draft<Schema>) => void;
  readonly field: (name: keyof z.input<Schema> & string) => FormField;
  readonly isWrong: (name: keyof z.input<Schema> & string) => boolean;
  /** The parsed body; undefined while something is missing or wrong. */
  readonly value: z.output<Schema> | undefined;
  /** Sends the body, or marks what is missing. */
  readonly submit: (send: (value: z.output<Schema>) => void) => void;
}

/** The state of a form for a body of the contract: its schema says which fields there are and what they take. */
export function useSchemaForm<Schema extends ObjectSchema>(
  schema: Schema,
  initial: Draft<Schema>,
): SchemaForm<Schema> {
  const [draft, setDraft] = useState(initial);
  const [isChecked, setChecked] = useState(false);
  const change = (part: Draft<Schema>) => setDraft({ ...draft, ...part });
  const parsed = z.safeParse(schema, bodyOf(schema, draft));
  const wrong = new Set(parsed.error?.issues.map(({ path }) => String(path[0])));
  const isWrong = (name: keyof Draft<Schema> & string) =>
    wrong.has(name) && (isChecked || (draft[name] ?? '') !== '');
  return {
    draft,
    change,
    isWrong,
    value: parsed.data,
    field: (name) => ({
      control: controlOf(memberOf(schema, name)),
      value: draft[name],
      isWrong: isWrong(name),
      // The draft of a member with a control is a string or a boolean.
      onChange: (value) => change({ [name]: value } as Draft<Schema>),
    }),
    submit(send) {
      setChecked(true);
      if (parsed.success) send(parsed.data);
    },
  };
}

interface SchemaFieldProps extends FormField {
  readonly label: string;
  readonly hint?: string;
  /** Shown while the value is wrong. */
  readonly expected?: string;
  /** The name of a choice; its value where nothing is given. */
  readonly optionLabel?: (option: string) => string;
}

/** The control that suits the schema of a field. */
export function SchemaField(props: SchemaFieldProps) {
  const { control, value, isWrong, onChange, label, hint, expected, optionLabel = String } = props;
  if (control.kind === 'switch') {
    return (
      <Toggle state={value === true ? 'on' : 'off'} onToggle={(state) => onChange(state === 'on')}>
        {label}
      </Toggle>
    );
  }
  const common = { label, hint, value: String(value ?? ''), onChange };
  if (control.kind === 'choice') {
    const options = control.options.map((option) => ({
      value: option,
      label: optionLabel(option),
    }));
    return <SelectField {...common} options={options} />;
  }
  const maxLength = control.kind === 'text' ? control.maxLength : undefined;
  const error = isWrong ? expected : undefined;
  return <TextField {...common} error={error} maxLength={maxLength} />;
}

function bodyOf<Schema extends ObjectSchema>(schema: Schema, draft: Draft<Schema>): object {
  const entered = Object.entries(draft).filter(([, value]) => value !== '' && value !== undefined);
  return Object.fromEntries(
    entered.map(([name, value]) => [name, valueOf(memberOf(schema, name), value)]),
  );
}

/** NaN, which no schema takes, stands for text that is no number. */
function valueOf(schema: z.ZodMiniType, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const control = controlOf(schema);
  return control.kind === 'number' ? (parseNumber(value, control.rule) ?? Number.NaN) : value;
}

function memberOf(schema: ObjectSchema, name: string): z.ZodMiniType {
  const member = schema.shape[name];
  if (!member) throw new TypeError(`the schema has no member "${name}"`);
  // Every member of a mini schema is one.
  return member as z.ZodMiniType;
}
