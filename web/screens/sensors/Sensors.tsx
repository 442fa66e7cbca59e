import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SensorRecord } from '../../../edge/sensors/contract/sensor.ts';
import { type SensorSearch, sensorsQuery } from '../../api/sensors.ts';
import { CommandBox } from '../../app/CommandBox.tsx';
import { column, endColumn } from '../../records/columns.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Grid } from '../../ui/Layout.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { Opened } from '../../ui/Opened.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { InfiniteList } from '../../ui/Resource.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { readingText } from './reading-text.ts';
import { RegisterDialog } from './RegisterDialog.tsx';
import { type ChangeSensorsFields, FIELDS, type SensorsFields } from './sensor-fields.ts';
import { SensorPanel } from './SensorPanel.tsx';
import { type SensorsText, useSensorsText } from './words/en-sensors.ts';

/** Debounce of requests while typing. */
const TYPING_MS = 300;

/** The sensors with their readings and spikes. */
export function Sensors() {
  const { t } = useSensorsText();
  const [fields, change] = useUrlState(FIELDS);
  const [isRegistering, setRegistering] = useState(false);
  const open = () => setRegistering(true);
  return (
    <Screen
      lead={t('sensors.lead')}
      width="wide"
      actions={
        <Button tone="primary" icon="add" onClick={open}>
          {t('register.open')}
        </Button>
      }
    >
      <Found fields={fields} onChange={change} onRegister={open} />
      {fields.sensor !== '' && (
        <Opened key={fields.sensor}>
          <SensorPanel
            sensorId={fields.sensor}
            fields={fields}
            onChange={change}
            onClose={() => change({ sensor: '' })}
          />
        </Opened>
      )}
      {isRegistering && (
        <RegisterDialog
          onDone={({ sensor_id: sensor }) => {
            setRegistering(false);
            change({ sensor });
          }}
          onClose={() => setRegistering(false)}
        />
      )}
    </Screen>
  );
}

interface FoundProps {
  readonly fields: SensorsFields;
  readonly onChange: ChangeSensorsFields;
  readonly onRegister: () => void;
}

const searchOf = ({ type, node }: SensorsFields): SensorSearch => ({
  ...(type.trim() !== '' && { type: type.trim() }),
  ...(node.trim() !== '' && { node_id: node.trim() }),
});

function Found({ fields, onChange, onRegister }: FoundProps) {
  const { t } = useSensorsText();
  const search = searchOf(useSettled(fields, TYPING_MS));
  const query = useInfiniteQuery({ ...sensorsQuery(search), placeholderData: keepPreviousData });
  const total = query.data?.pages[0]?.total;
  if (total === 0 && Object.keys(search).length === 0) return <NoSensors onRegister={onRegister} />;
  return (
    <Panel title={t('list.title')} note={total !== undefined && t('list.note', { count: total })}>
      <Filters fields={fields} onChange={onChange} />
      <InfiniteList
        query={query}
        skeleton={{ lines: 1, lineRem: 12 }}
        itemsOf={(page) => page.sensors}
        empty={
          <EmptyState icon="search" title={t('none.found')}>
            {t('none.foundHelp')}
          </EmptyState>
        }
        more={t('list.more')}
      >
        {(sensors) => <SensorTable sensors={sensors} onOpen={(sensor) => onChange({ sensor })} />}
      </InfiniteList>
    </Panel>
  );
}

const FILTERS = [
  ['type', 32],
  ['node', 128],
] as const;

function Filters({ fields, onChange }: Pick<FoundProps, 'fields' | 'onChange'>) {
  const { t } = useSensorsText();
  return (
    <Grid as="search" min="12rem" gap={[3, 4]} align="start" aria-label={t('filter.region')}>
      {FILTERS.map(([name, maxLength]) => (
        <TextField
          key={name}
          type="search"
          label={t(`filter.${name}`)}
          value={fields[name]}
          maxLength={maxLength}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
    </Grid>
  );
}

function NoSensors({ onRegister }: Pick<FoundProps, 'onRegister'>) {
  const { t } = useSensorsText();
  const command = `npm run -s spikegrid -- sensor register room-1 --type temperature --unit °C --gateway ${location.origin}`;
  return (
    <EmptyState
      icon="sensors"
      title={t('none.title')}
      action={
        <>
          <CommandBox command={command} copy={t('none.copy')} />
          <Button tone="primary" icon="add" onClick={onRegister}>
            {t('register.open')}
          </Button>
        </>
      }
    >
      {t('none.help')}
    </EmptyState>
  );
}

interface SensorTableProps {
  readonly sensors: readonly SensorRecord[];
  readonly onOpen: (sensorId: string) => void;
}

function SensorTable({ sensors, onOpen }: SensorTableProps) {
  const text = useSensorsText();
  return (
    <Table
      caption={text.t('list.title')}
      columns={columnsOf(text, onOpen)}
      rows={sensors}
      rowKey={({ sensor_id: id }) => id}
      height="limited"
    />
  );
}

function columnsOf(
  text: SensorsText,
  onOpen: SensorTableProps['onOpen'],
): readonly Column<SensorRecord>[] {
  const { t, format } = text;
  return [
    column(t('column.sensor'), ({ sensor_id: id }) => (
      <LinkButton onClick={() => onOpen(id)}>{id}</LinkButton>
    )),
    column(t('column.type'), ({ type }) => type),
    column(t('column.node'), ({ node_id: node }) => node),
    column(t('column.code'), ({ encoding }) => t(`code.${encoding.code}`)),
    endColumn(
      t('column.last'),
      ({ last_reading: last, unit }) => last && readingText(text, last.value, unit),
    ),
    column(t('column.when'), ({ last_reading: last }) =>
      last ? <RelativeTime time={last.at} /> : t('list.never'),
    ),
    endColumn(t('column.readings'), ({ readings }) => format.integer(readings)),
  ];
}
