import type { SensorRecord } from '../../../edge/sensors/contract/sensor.ts';
import { deleteSensor, sensorQuery } from '../../api/sensors.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { useSensorsText } from './sensors-text.ts';
import { useSensorChange } from './use-sensor-change.ts';

export interface DeleteDialogProps {
  readonly sensor: SensorRecord;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks before a sensor is deleted with its readings. */
export function DeleteDialog({ sensor, onDone, onClose }: DeleteDialogProps) {
  const { t } = useSensorsText();
  const { sensor_id: id, readings } = sensor;
  const change = useSensorChange({
    change: () => deleteSensor(id),
    said: () => t('delete.said', { sensor: id }),
    gone: sensorQuery(id).queryKey,
    onDone: () => {
      onClose();
      onDone();
    },
  });
  return (
    <Dialog title={t('delete.title', { sensor: id })} onClose={onClose}>
      <p>{t('delete.body', { count: readings })}</p>
      {change.isError && <ErrorState error={change.error} />}
      <DialogActions>
        <Button onClick={onClose}>{t('dialog.cancel')}</Button>
        <Button
          tone="danger"
          state={change.isPending ? 'blocked' : 'ready'}
          onClick={() => change.mutate(undefined)}
        >
          {t('delete.do')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
