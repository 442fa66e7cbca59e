import { Field } from './Field.tsx';

interface TextAreaFieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly maxLength?: number;
}

export function TextAreaField({ value, onChange, maxLength, ...field }: TextAreaFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <textarea
          {...control}
          value={value}
          maxLength={maxLength}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
