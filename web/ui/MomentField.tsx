import { Field } from './Field.tsx';
import { fromLocalInput, toLocalInput } from './local-time.ts';

interface MomentFieldProps {
  readonly label: string;
  readonly error?: string | undefined;
  /** ISO 8601; empty for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A date and a time of day to the second, as it is where one looks. */
export function MomentField({ value, onChange, ...field }: MomentFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          type="datetime-local"
          step={1}
          value={toLocalInput(value)}
          onChange={(event) => onChange(fromLocalInput(event.target.value))}
        />
      )}
    </Field>
  );
}
