import { type FormEvent, useState } from 'react';
import type { SensorRecord } from '../../../../edge/sensors/contract/sensor.ts';
import { registerSensor } from '../../../api/sensors.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../../ui/Dialog.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import css from '../Sensors.module.css';
import { useSensorsText } from '../sensors-text.ts';
import { useSensorChange } from '../use-sensor-change.ts';
import { NEW_DRAFT, readDraft } from './sensor-draft.ts';
import { SensorFields } from './SensorFields.tsx';

export interface RegisterDialogProps {
  readonly onDone: (sensor: SensorRecord) => void;
  readonly onClose: () => void;
}

/** Registers a sensor. */
export function RegisterDialog({ onDone, onClose }: RegisterDialogProps) {
  const { t } = useSensorsText();
  const [draft, setDraft] = useState(NEW_DRAFT);
  const { sensor, wrong } = readDraft(draft);
  const change = useSensorChange({
    change: registerSensor,
    said: ({ sensor_id: id }) => t('register.said', { sensor: id }),
    onDone,
  });
  const canSend = sensor !== undefined && !change.isPending;
  const register = (event: FormEvent) => {
    event.preventDefault();
    if (canSend) change.mutate(sensor);
  };
  return (
    <Dialog title={t('register.title')} onClose={onClose}>
      <form className={css['stack']} onSubmit={register}>
        <SensorFields draft={draft} wrong={wrong} onChange={setDraft} />
        {change.isError && <ErrorState error={change.error} />}
        <DialogActions>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button type="submit" tone="primary" state={canSend ? 'ready' : 'blocked'}>
            {t('register.do')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
