import type { NumberRule } from './number-input.ts';
import { NumberField } from './NumberField.tsx';
import css from './SliderField.module.css';

interface SliderFieldProps {
  readonly label: string;
  readonly value: number;
  /** Bounds of typed values. */
  readonly rule: NumberRule;
  /** Range of the slider: the useful part of the bounds. */
  readonly range: readonly [low: number, high: number];
  /** How far an arrow key goes. */
  readonly step: number;
  /** The value with its unit, as it is read aloud. */
  readonly valueText: string;
  readonly onChange: (value: number) => void;
}

/** A number that is dragged or typed. */
export function SliderField(props: SliderFieldProps) {
  const { label, value, rule, range, step, valueText, onChange } = props;
  return (
    <div className={css['slider']}>
      <NumberField label={label} value={value} rule={rule} step={step} onChange={onChange} />
      <input
        type="range"
        aria-label={label}
        aria-valuetext={valueText}
        min={range[0]}
        max={range[1]}
        step={step}
        value={value}
        onChange={(event) => onChange(event.target.valueAsNumber)}
      />
    </div>
  );
}
