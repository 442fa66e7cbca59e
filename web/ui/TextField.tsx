import { Field } from './Field.tsx';

interface TextFieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly maxLength?: number | undefined;
  /** What phones offer a keyboard for, and what browsers add to a search box. */
  readonly type?: 'text' | 'search';
}

export function TextField({ value, onChange, maxLength, type = 'text', ...field }: TextFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          type={type}
          value={value}
          maxLength={maxLength}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
