import { useId } from 'react';
import { Note, Stack } from './Layout.tsx';
import css from './CheckGroup.module.css';
import { Icon } from './Icon.tsx';

interface CheckGroupProps<V extends string> {
  readonly legend: string;
  /** A line under the legend. */
  readonly hint?: string | undefined;
  readonly options: readonly V[];
  /** Explanation of an option, next to its name. */
  readonly meaning: (option: V) => string;
  readonly chosen: readonly V[];
  readonly error?: string | undefined;
  /** Told what is chosen from now on, in the order of the options. */
  readonly onChange: (chosen: readonly V[]) => void;
}

/** Any number of some options, each a checkbox with what it means. */
export function CheckGroup<V extends string>(props: CheckGroupProps<V>) {
  const { legend, hint, options, meaning, chosen, error, onChange } = props;
  const id = useId();
  const toggle = (option: V, isOn: boolean) =>
    onChange(options.filter((one) => (one === option ? isOn : chosen.includes(one))));
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <Stack as="fieldset" gap={0} aria-describedby={described || undefined}>
      <legend className={css['legend']}>{legend}</legend>
      {hint && (
        <Note id={`${id}-hint`} style={{ marginBottom: 'var(--space-1)' }}>
          {hint}
        </Note>
      )}
      {options.map((option) => (
        <label key={option} className={css['choice']}>
          <input
            type="checkbox"
            checked={chosen.includes(option)}
            onChange={(event) => toggle(option, event.target.checked)}
          />
          <code>{option}</code>
          <span>{meaning(option)}</span>
        </label>
      ))}
      {error && (
        <p id={`${id}-error`} className={css['error']}>
          <Icon name="error" size="small" />
          {error}
        </p>
      )}
    </Stack>
  );
}
