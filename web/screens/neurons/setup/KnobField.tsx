import { type Knob, rangeFor, stepOf } from '../../../neuron-lab/knobs.ts';
import { SliderField } from '../../../ui/SliderField.tsx';
import { useNeuronsText } from '../neurons-text.ts';

interface KnobFieldProps {
  readonly knob: Knob;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

/** One number of the model, dragged or typed. */
export function KnobField({ knob, value, onChange }: KnobFieldProps) {
  const label = useKnobLabel(knob);
  const { t, format } = useNeuronsText();
  const { minimum: min, maximum: max, unit } = knob;
  const range = rangeFor(knob, value);
  const written = format.number(value);
  return (
    <SliderField
      label={label}
      value={value}
      rule={{ kind: 'decimal', min, max }}
      range={range}
      step={stepOf(range)}
      valueText={unit === '' ? written : t('plot.withUnit', { value: written, unit })}
      onChange={onChange}
    />
  );
}

const LABELS = {
  tau: 'knob.tau',
  tau_adaptation: 'knob.tau_adaptation',
  threshold: 'knob.threshold',
  refractory: 'knob.refractory',
  reset: 'knob.reset',
  beta: 'knob.beta',
  a: 'knob.a',
  b: 'knob.b',
  c: 'knob.c',
  d: 'knob.d',
  I: 'knob.I',
} as const;

const isKnown = (name: string): name is keyof typeof LABELS => Object.hasOwn(LABELS, name);

/** The name that people know it by; a plugin's own parameters have their symbols. */
function useKnobLabel({ name, symbol, unit, isOwn }: Knob): string {
  const { t } = useNeuronsText();
  if (isKnown(name) && !isOwn) return t(LABELS[name]);
  return unit === '' ? symbol : `${symbol} (${unit})`;
}
