import { useStore } from 'zustand';
import { NEURON_LIMITS, writtenNeurons } from '../../../../engine/index.ts';
import { INPUT } from '../../../neuron-lab/knobs.ts';
import { CodeField } from '../../../ui/CodeField.tsx';
import { Note } from '../../../ui/Layout.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import bench from '../../../ui/Workbench.module.css';
import { writtenNeuron } from '../neuron-lab-store.ts';
import { type ChangeNeurons, TIME_STEPS } from '../neurons-fields.ts';
import { faultOf, useNeuronsText } from '../neurons-text.ts';

interface EquationsPanelProps {
  readonly text: string;
  readonly onChange: ChangeNeurons;
}

const CUSTOM = '';
/** Without those that need their layer: the bench has neurons alone. */
const ENTRIES = Object.entries(writtenNeurons).filter(
  ([, { text }]) => !text.includes('groupMean('),
);

/** A neuron as equations: each change is read at once, and what is wrong is named with its place. */
export function EquationsPanel({ text, onChange }: EquationsPanelProps) {
  const words = useNeuronsText();
  const { t } = words;
  const message = useStore(writtenNeuron, (state) => state.message);
  const [name, entry] = ENTRIES.find(([, one]) => one.text === text) ?? [CUSTOM, undefined];
  const custom = { value: CUSTOM, label: t('model.custom') };
  const known = ENTRIES.map(([value, { title }]) => ({ value, label: title }));
  return (
    <Panel title={t('equations.title')} note={t('equations.note')}>
      <div className={bench['fields']}>
        <SelectField
          label={t('equations.begin')}
          options={entry ? known : [custom, ...known]}
          value={name}
          onChange={(chosen) => onChange(changeTo(chosen))}
        />
        <CodeField
          label={t('equations.text')}
          value={text}
          maxLength={NEURON_LIMITS.characters}
          {...(message !== null && faultOf(words, message))}
          onChange={(eq) => onChange({ eq })}
        />
        {entry && <Note>{t('model.source', { source: entry.source })}</Note>}
        <Note>{t('equations.train')}</Note>
      </div>
    </Panel>
  );
}

/** A neuron of the catalogue, with an input that it fires at and the time step of its text. */
function changeTo(name: string): Parameters<ChangeNeurons>[0] {
  const entry = ENTRIES.find(([known]) => known === name)?.[1];
  if (!entry) return {};
  const own = /^dt = ([\d.]+)/m.exec(entry.text)?.[1] ?? '1';
  const dt = TIME_STEPS.find((step) => step === own) ?? '1';
  return { eq: entry.text, p: `${INPUT}:${entry.input}`, dt };
}
