import { useId, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Note } from './Layout.tsx';
import css from './Field.module.css';
import { Icon } from './Icon.tsx';

/** Props that a control takes from the field around it. */
interface ControlProps {
  readonly id: string;
  readonly className: string | undefined;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

interface FieldProps {
  readonly label: string;
  /** The expected input, shown before there is an error. */
  readonly hint?: string | undefined;
  /** The error and the expected value; absent while the input is valid. */
  readonly error?: string | undefined;
  readonly layout?: 'stacked' | 'inline';
  readonly children: (control: ControlProps) => ReactNode;
}

/** A labelled control with its hint and its error, tied together for assistive technology. */
export function Field({ label, hint, error, layout = 'stacked', children }: FieldProps) {
  const id = useId();
  const [hintId, errorId] = [`${id}-hint`, `${id}-error`];
  const described = [hint && hintId, error && errorId].filter(Boolean).join(' ');
  return (
    <div className={classNames(css['field'], css[layout])}>
      <Note as="label" style={{ fontWeight: 550 }} htmlFor={id}>
        {label}
      </Note>
      {children({
        id,
        className: css['control'],
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': error ? true : undefined,
      })}
      {hint && <Note id={hintId}>{hint}</Note>}
      {error && (
        <p id={errorId} className={css['error']}>
          <Icon name="error" size="small" />
          {error}
        </p>
      )}
    </div>
  );
}
