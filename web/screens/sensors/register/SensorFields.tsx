import { useId } from 'react';
import { SensorCode } from '../../../../edge/sensors/contract/encoding.ts';
import { Field } from '../../../ui/Field.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import css from '../Sensors.module.css';
import { useSensorsText } from '../sensors-text.ts';
import { type DraftField, KNOWN_TYPES, type SensorDraft } from './sensor-draft.ts';

export interface SensorFieldsProps {
  readonly draft: SensorDraft;
  readonly wrong: ReadonlySet<DraftField>;
  readonly onChange: (draft: SensorDraft) => void;
}

const CODES = ['usual', ...SensorCode.options] as const;

/** What a sensor is, and how its readings become spikes. */
export function SensorFields({ draft, wrong, onChange }: SensorFieldsProps) {
  const { t } = useSensorsText();
  const text = (field: DraftField, maxLength: number) => (
    <TextField
      label={t(`field.${field}`)}
      error={wrong.has(field) ? t(`wrong.${field}`) : undefined}
      value={draft[field]}
      maxLength={maxLength}
      onChange={(value) => onChange({ ...draft, [field]: value })}
    />
  );
  return (
    <>
      <div className={css['two']}>
        {text('id', 63)}
        <TypeField draft={draft} wrong={wrong} onChange={onChange} />
        {text('unit', 32)}
        {text('node', 128)}
        {text('rate', 16)}
        <SelectField
          label={t('field.code')}
          options={CODES.map((value) => ({ value, label: t(`code.${value}`) }))}
          value={draft.code}
          onChange={(code) => onChange({ ...draft, code })}
        />
      </div>
      <p className={css['note']}>{t(`about.${draft.code}`)}</p>
      <div className={css['two']}>
        {text('low', 32)}
        {text('high', 32)}
        {text('threshold', 32)}
      </div>
    </>
  );
}

/** Any name; those whose code is known are offered. */
function TypeField({ draft, wrong, onChange }: SensorFieldsProps) {
  const { t } = useSensorsText();
  const known = useId();
  return (
    <>
      <datalist id={known}>
        {KNOWN_TYPES.map((type) => (
          <option key={type}>{type}</option>
        ))}
      </datalist>
      <Field label={t('field.type')} error={wrong.has('type') ? t('wrong.type') : undefined}>
        {(control) => (
          <input
            {...control}
            type="text"
            list={known}
            autoComplete="off"
            maxLength={32}
            value={draft.type}
            onChange={(event) => onChange({ ...draft, type: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}
