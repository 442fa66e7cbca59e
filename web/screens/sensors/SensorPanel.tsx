import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { SensorRecord } from '../../../edge/sensors/contract/sensor.ts';
import { deleteSensor, sensorQuery, SENSORS_KEY } from '../../api/sensors.ts';
import { useChange } from '../../app/use-change.ts';
import { Button } from '../../ui/Button.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Grid, Stack } from '../../ui/Layout.tsx';
import { MomentField } from '../../ui/MomentField.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Resource } from '../../ui/Resource.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { useNow } from '../../ui/use-now.ts';
import { LiveView } from './LiveView.tsx';
import { PastView } from './PastView.tsx';
import { encodingText } from './reading-text.ts';
import { type ChangeSensorsFields, type RangeFields, RANGES, windowOf } from './sensor-fields.ts';
import { useSensorsText } from './words/en-sensors.ts';

interface SensorPanelProps {
  readonly sensorId: string;
  readonly fields: RangeFields;
  readonly onChange: ChangeSensorsFields;
  readonly onClose: () => void;
}

/** How often ranges that end now advance. */
const NOW_EVERY_MS = 5_000;

/** One sensor: its registration and its live or past readings. */
export function SensorPanel({ sensorId, fields, onChange, onClose }: SensorPanelProps) {
  const { t } = useSensorsText();
  const query = useQuery(sensorQuery(sensorId));
  const { data: sensor } = query;
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Panel
      title={sensorId}
      actions={
        <>
          {sensor && (
            <Button tone="danger" icon="trash" onClick={() => setDeleting(true)}>
              {t('ui.delete')}
            </Button>
          )}
          <IconButton icon="close" label={t('sensor.close')} onClick={onClose} />
        </>
      }
    >
      <Resource query={query} skeleton={{ lines: 3, lineRem: 6 }}>
        {(found) => (
          <Stack>
            <SensorFacts sensor={found} />
            <Measured sensor={found} fields={fields} onChange={onChange} />
          </Stack>
        )}
      </Resource>
      {sensor && isDeleting && (
        <DeleteDialog sensor={sensor} onDone={onClose} onClose={() => setDeleting(false)} />
      )}
    </Panel>
  );
}

interface MeasuredProps extends Pick<SensorPanelProps, 'fields' | 'onChange'> {
  readonly sensor: SensorRecord;
}

function Measured({ sensor, fields, onChange }: MeasuredProps) {
  const isPast = fields.range !== 'live';
  const window = windowOf(fields, useNow(NOW_EVERY_MS));
  return (
    <>
      <RangeBar fields={fields} isWrong={isPast && !window} onChange={onChange} />
      {!isPast && <LiveView sensor={sensor} />}
      {window && <PastView sensor={sensor} window={window} />}
    </>
  );
}

function SensorFacts({ sensor }: { readonly sensor: SensorRecord }) {
  const text = useSensorsText();
  const { t, format } = text;
  const { namespace, encoding, unit, rate_hz: rate, retention_s: retentionS } = sensor;
  const remembered = `/memory?${new URLSearchParams({ ns: namespace, tags: sensor.sensor_id })}`;
  const facts = [
    { label: t('column.type'), value: sensor.type },
    { label: t('sensor.unit'), value: unit },
    { label: t('column.node'), value: sensor.node_id },
    { label: t('sensor.rate'), value: rate && t('sensor.hz', { rate }) },
    { label: t('sensor.encoding'), value: encodingText(text, encoding, unit) },
    { label: t('column.readings'), value: format.integer(sensor.readings) },
    { label: t('sensor.kept'), value: t('sensor.hours', { hours: retentionS / 3_600 }) },
    {
      label: t('sensor.memories'),
      value: <Link href={remembered}>{t('sensor.everySeconds', { count: sensor.window_s })}</Link>,
    },
    { label: t('sensor.registered'), value: <RelativeTime time={sensor.created_at} /> },
  ];
  return <Facts facts={facts} />;
}

interface RangeBarProps {
  readonly fields: RangeFields;
  /** Whether the range is empty or reversed. */
  readonly isWrong: boolean;
  readonly onChange: ChangeSensorsFields;
}

/** The choice between live and past readings. */
function RangeBar({ fields, isWrong, onChange }: RangeBarProps) {
  const { t } = useSensorsText();
  return (
    <Stack as="search" gap={3} align="flex-start" aria-label={t('range.region')}>
      <Segmented
        legend={t('range.region')}
        options={RANGES.map((value) => ({ value, label: t(`range.${value}`) }))}
        value={fields.range}
        onChange={(range) => onChange({ range })}
      />
      {fields.range === 'span' && (
        <Grid min="12rem" gap={[3, 4]} align="start" style={{ width: 'min(100%, 34rem)' }}>
          {(['from', 'to'] as const).map((end) => (
            <MomentField
              key={end}
              label={t(`range.${end}`)}
              error={isWrong && end === 'from' ? t('range.wrong') : undefined}
              value={fields[end]}
              onChange={(at) => onChange({ [end]: at })}
            />
          ))}
        </Grid>
      )}
    </Stack>
  );
}

interface DeleteDialogProps {
  readonly sensor: SensorRecord;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Confirms the deletion of a sensor. */
function DeleteDialog({ sensor, onDone, onClose }: DeleteDialogProps) {
  const { t } = useSensorsText();
  const { sensor_id: id, readings } = sensor;
  const change = useChange(SENSORS_KEY, {
    change: () => deleteSensor(id),
    said: () => t('delete.said', { sensor: id }),
    gone: sensorQuery(id).queryKey,
    onDone: () => {
      onClose();
      onDone();
    },
  });
  return (
    <FormDialog
      title={t('delete.title', { sensor: id })}
      submit={t('delete.do')}
      tone="danger"
      request={change}
      onSubmit={() => change.mutate(undefined)}
      onClose={onClose}
    >
      <p>{t('delete.body', { count: readings })}</p>
    </FormDialog>
  );
}
