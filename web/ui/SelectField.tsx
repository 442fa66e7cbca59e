import { Field } from './Field.tsx';
import css from './Field.module.css';
import { Icon } from './Icon.tsx';

interface SelectFieldProps<T extends string> {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}

/** The browser's own list: it is the one that works on every device and with every tool. */
export function SelectField<T extends string>({
  options,
  value,
  onChange,
  ...field
}: SelectFieldProps<T>) {
  const choose = (chosen: string) => {
    const option = options.find((candidate) => candidate.value === chosen);
    if (option) onChange(option.value);
  };
  return (
    <Field {...field}>
      {(control) => (
        <span className={css['selectBox']}>
          <select {...control} value={value} onChange={(event) => choose(event.target.value)}>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <Icon name="chevron" size="small" />
        </span>
      )}
    </Field>
  );
}
