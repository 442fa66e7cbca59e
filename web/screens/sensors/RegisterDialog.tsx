import { useId, useState } from 'react';
import { SensorCode } from '../../../edge/sensors/contract/encoding.ts';
import type { SensorRecord } from '../../../edge/sensors/contract/sensor.ts';
import { registerSensor, SENSORS_KEY } from '../../api/sensors.ts';
import { useChange } from '../../app/use-change.ts';
import { Field } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Grid, Note } from '../../ui/Layout.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import {
  type DraftField,
  KNOWN_TYPES,
  NEW_DRAFT,
  readDraft,
  type SensorDraft,
} from './sensor-draft.ts';
import { useSensorsText } from './words/en-sensors.ts';

interface RegisterDialogProps {
  readonly onDone: (sensor: SensorRecord) => void;
  readonly onClose: () => void;
}

/** Registers a sensor. */
export function RegisterDialog({ onDone, onClose }: RegisterDialogProps) {
  const { t } = useSensorsText();
  const [draft, setDraft] = useState(NEW_DRAFT);
  const { sensor, wrong } = readDraft(draft);
  const change = useChange(SENSORS_KEY, {
    change: registerSensor,
    said: ({ sensor_id: id }) => t('register.said', { sensor: id }),
    onDone,
  });
  return (
    <FormDialog
      title={t('register.title')}
      submit={t('register.do')}
      isReady={sensor !== undefined}
      request={change}
      onSubmit={() => sensor && change.mutate(sensor)}
      onClose={onClose}
    >
      <SensorFields draft={draft} wrong={wrong} onChange={setDraft} />
    </FormDialog>
  );
}

interface SensorFieldsProps {
  readonly draft: SensorDraft;
  readonly wrong: ReadonlySet<DraftField>;
  readonly onChange: (draft: SensorDraft) => void;
}

const CODES = ['usual', ...SensorCode.options] as const;

/** The fields of a sensor and its encoding. */
function SensorFields({ draft, wrong, onChange }: SensorFieldsProps) {
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
      <Grid min="12rem" gap={[3, 4]} align="start">
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
      </Grid>
      <Note>{t(`about.${draft.code}`)}</Note>
      <Grid min="12rem" gap={[3, 4]} align="start">
        {text('low', 32)}
        {text('high', 32)}
        {text('threshold', 32)}
      </Grid>
    </>
  );
}

/** Any type name, with the known ones as suggestions. */
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
