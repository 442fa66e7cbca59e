import { Field } from './Field.tsx';
import css from './Field.module.css';

interface RangeFieldProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** The value with its unit, as it is shown and read aloud. */
  readonly valueText: string;
  /** Inline stands beside other switches, with its label before it. */
  readonly layout?: 'stacked' | 'inline';
  readonly onChange: (value: number) => void;
}

export function RangeField(props: RangeFieldProps) {
  const { label, value, valueText, layout = 'stacked', onChange, ...range } = props;
  return (
    <Field label={label} layout={layout}>
      {({ id }) => (
        <span className={css['range']}>
          <input
            id={id}
            type="range"
            {...range}
            value={value}
            aria-valuetext={valueText}
            onChange={(event) => onChange(event.target.valueAsNumber)}
          />
          <output className={css['output']} htmlFor={id}>
            {valueText}
          </output>
        </span>
      )}
    </Field>
  );
}
