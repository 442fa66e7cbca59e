import type { SensorRecord } from '../../../edge/sensors/contract/sensor.ts';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { readingWords } from './sensor-words.ts';
import { type SensorsText, useSensorsText } from './sensors-text.ts';

interface SensorTableProps {
  readonly sensors: readonly SensorRecord[];
  readonly onOpen: (sensorId: string) => void;
}

export function SensorTable({ sensors, onOpen }: SensorTableProps) {
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
    {
      key: 'sensor',
      title: t('column.sensor'),
      cell: ({ sensor_id: id }) => <LinkButton onClick={() => onOpen(id)}>{id}</LinkButton>,
    },
    { key: 'type', title: t('column.type'), cell: ({ type }) => type },
    { key: 'node', title: t('column.node'), cell: ({ node_id: node }) => node },
    { key: 'code', title: t('column.code'), cell: ({ encoding }) => t(`code.${encoding.code}`) },
    {
      key: 'last',
      title: t('column.last'),
      align: 'end',
      cell: ({ last_reading: last, unit }) => last && readingWords(text, last.value, unit),
    },
    {
      key: 'when',
      title: t('column.when'),
      cell: ({ last_reading: last }) => (last ? <RelativeTime time={last.at} /> : t('list.never')),
    },
    {
      key: 'readings',
      title: t('column.readings'),
      align: 'end',
      cell: ({ readings }) => format.integer(readings),
    },
  ];
}
