import { INPUT, writeKnobs } from '../../../neuron-lab/knobs.ts';
import { STIMULI, type StimulusShape } from '../../../neuron-lab/stimulus.ts';
import { NumberField } from '../../../ui/NumberField.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import bench from '../../../ui/Workbench.module.css';
import {
  type ChangeNeurons,
  type Choice,
  type NeuronsFields,
  RULES,
  TIME_STEPS,
} from '../neurons-fields.ts';
import { useNeuronsText } from '../neurons-text.ts';
import { KnobField } from './KnobField.tsx';

interface InputPanelProps {
  readonly fields: NeuronsFields;
  readonly choice: Choice;
  readonly onChange: ChangeNeurons;
}

/** Input current of the neuron, and its duration. */
export function InputPanel({ fields, choice, onChange }: InputPanelProps) {
  const { t, format } = useNeuronsText();
  const { knobs, values } = choice;
  const knob = knobs.find(({ name }) => name === INPUT);
  return (
    <Panel title={t('input.title')}>
      <div className={bench['fields']}>
        <SelectField
          label={t('input.shape')}
          options={STIMULI.map((value) => ({ value, label: t(`input.${value}`) }))}
          value={fields.input}
          onChange={(input) => onChange({ input })}
        />
        {knob && (
          <KnobField
            knob={knob}
            value={values[INPUT] ?? knob.initial}
            onChange={(value) => onChange({ p: writeKnobs(knobs, { ...values, [INPUT]: value }) })}
          />
        )}
        <div className={bench['two']}>
          {fieldsOf(fields.input).map(([name, step]) => (
            <NumberField
              key={name}
              label={t(LABELS[name])}
              value={fields[name]}
              rule={RULES[name]}
              step={step}
              onChange={(value) => onChange({ [name]: value })}
            />
          ))}
          <SelectField
            label={t('input.dt')}
            options={TIME_STEPS.map((value) => ({
              value,
              label: t('input.dtValue', { dt: format.number(Number(value)) }),
            }))}
            value={fields.dt}
            onChange={(dt) => onChange({ dt })}
          />
        </div>
      </div>
    </Panel>
  );
}

type NumberName = 'on' | 'off' | 'hz' | 'noise' | 'ms';

const LABELS = {
  on: 'input.on',
  off: 'input.off',
  hz: 'input.frequency',
  noise: 'input.seed',
  ms: 'input.duration',
} as const satisfies Readonly<Record<NumberName, string>>;

/** The numbers that a shape has, and how far an arrow key goes in each. */
function fieldsOf(shape: StimulusShape): readonly (readonly [NumberName, number])[] {
  const ends = [
    ['on', 10],
    ['off', 10],
  ] as const;
  return [
    ...(shape === 'constant' ? [] : ends),
    ...(shape === 'pulses' || shape === 'sine' ? [['hz', 1] as const] : []),
    ...(shape === 'noise' ? [['noise', 1] as const] : []),
    ['ms', 100],
  ];
}
