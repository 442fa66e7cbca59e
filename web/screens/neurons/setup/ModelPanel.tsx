import { INPUT, type KnobValues, presetValues, writeKnobs } from '../../../neuron-lab/knobs.ts';
import { Button } from '../../../ui/Button.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import css from '../Neurons.module.css';
import { type ChangeNeurons, type Choice, MODEL_NAMES, type ModelName } from '../neurons-fields.ts';
import { useNeuronsText, type NeuronsText } from '../neurons-text.ts';
import { KnobField } from './KnobField.tsx';

export interface ModelPanelProps {
  readonly name: ModelName;
  readonly choice: Choice;
  readonly onChange: ChangeNeurons;
}

/** Which model, and the numbers in its equations. */
export function ModelPanel({ name, choice, onChange }: ModelPanelProps) {
  const { t } = useNeuronsText();
  const { model, knobs, values } = choice;
  const set = (next: KnobValues) => onChange({ p: writeKnobs(knobs, next) });
  return (
    <Panel
      title={t('model.title')}
      actions={
        <Button tone="quiet" icon="reset" onClick={() => onChange({ p: '' })}>
          {t('model.initial')}
        </Button>
      }
    >
      <div className={css['fields']}>
        <SelectField
          label={t('model.choose')}
          options={MODEL_NAMES.map((value) => ({ value, label: t(`model.${value}`) }))}
          value={name}
          onChange={(next) => onChange({ model: next, p: '' })}
        />
        <PresetSelect choice={choice} onChoose={set} />
        {knobs
          .filter((knob) => knob.name !== INPUT)
          .map((knob) => (
            <KnobField
              key={knob.name}
              knob={knob}
              value={values[knob.name] ?? knob.initial}
              onChange={(value) => set({ ...values, [knob.name]: value })}
            />
          ))}
        <ul className={css['equations']} aria-label={t('model.equations')} lang="en">
          {model.equations.map((equation) => (
            <li key={equation}>
              <code>{equation}</code>
            </li>
          ))}
        </ul>
        <p className={css['source']}>{t('model.source', { source: model.source })}</p>
      </div>
    </Panel>
  );
}

interface PresetSelectProps {
  readonly choice: Choice;
  readonly onChoose: (values: KnobValues) => void;
}

const CUSTOM = '';

function PresetSelect({ choice, onChoose }: PresetSelectProps) {
  const text = useNeuronsText();
  const { model, knobs } = choice;
  const names = Object.keys(model.presets);
  if (names.length === 0) return null;
  const current = names.find((name) => holds(choice, model.presets[name] ?? {})) ?? CUSTOM;
  const offered = [...(current === CUSTOM ? [CUSTOM] : []), ...names];
  return (
    <SelectField
      label={text.t('model.preset')}
      options={offered.map((value) => ({ value, label: presetLabel(text, value) }))}
      value={current}
      onChange={(name) => onChoose(presetValues(knobs, model.presets[name] ?? {}))}
    />
  );
}

/** Whether every parameter of a preset has its value. */
function holds({ values }: Choice, preset: Readonly<Record<string, number>>): boolean {
  return Object.entries(preset).every(([name, value]) => values[name] === value);
}

const PRESETS = {
  [CUSTOM]: 'model.custom',
  RS: 'preset.RS',
  IB: 'preset.IB',
  CH: 'preset.CH',
  FS: 'preset.FS',
  LTS: 'preset.LTS',
  TC: 'preset.TC',
  RZ: 'preset.RZ',
  Brunel: 'preset.Brunel',
} as const;

const isKnown = (name: string): name is keyof typeof PRESETS => Object.hasOwn(PRESETS, name);

const presetLabel = ({ t }: NeuronsText, name: string): string =>
  isKnown(name) ? t(PRESETS[name]) : name;
