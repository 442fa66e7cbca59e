import { classNames } from './class-names.ts';
import css from './CodeField.module.css';
import { Field } from './Field.tsx';

/** A place in the text, both from 1. */
export interface CodePlace {
  readonly line: number;
  readonly column: number;
}

interface CodeFieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  /** Where the error is: its line is shown with a mark under the column. */
  readonly place?: CodePlace | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly maxLength?: number;
}

const MARK = '^';
/** So many lines are seen at once. */
const LINES = 12;

/** A text whose columns count, such as equations. */
export function CodeField({ value, onChange, maxLength, place, ...field }: CodeFieldProps) {
  return (
    <div className={css['wide']}>
      <Field {...field}>
        {({ className, ...control }) => (
          <>
            <textarea
              {...control}
              className={classNames(className, css['code'])}
              value={value}
              rows={LINES}
              maxLength={maxLength}
              spellCheck={false}
              autoCapitalize="off"
              onChange={(event) => onChange(event.target.value)}
            />
            {field.error && place && <FaultLine text={value} place={place} />}
          </>
        )}
      </Field>
    </div>
  );
}

/** The error names the place in words: this shows it to the eye. */
function FaultLine({ text, place }: { readonly text: string; readonly place: CodePlace }) {
  const line = text.split('\n')[place.line - 1] ?? '';
  // The mark keeps the tabs before it, so that it stands under its column.
  const before = line.slice(0, place.column - 1).replaceAll(/[^\t]/g, ' ');
  return (
    <pre className={css['fault']} aria-hidden="true">
      {line}
      {'\n'}
      {before}
      <span className={css['mark']}>{MARK}</span>
    </pre>
  );
}
