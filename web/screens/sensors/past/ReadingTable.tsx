import type { Reading } from '../../../../edge/sensors/contract/reading.ts';
import { type Column, Table } from '../../../ui/Table.tsx';
import { momentFormat } from '../../../widgets/time-chart/time-words.ts';
import { readingWords } from '../sensor-words.ts';
import { type SensorsText, useSensorsText } from '../sensors-text.ts';

export interface ReadingTableProps {
  readonly readings: readonly Reading[];
  readonly unit: string;
}

/** Readings one by one, the latest first. */
export function ReadingTable({ readings, unit }: ReadingTableProps) {
  const text = useSensorsText();
  return (
    <Table
      caption={text.t('past.table')}
      columns={columnsOf(text, unit)}
      rows={readings}
      rowKey={({ seq }) => seq}
      height="limited"
    />
  );
}

function columnsOf(text: SensorsText, unit: string): readonly Column<Reading>[] {
  const { t, format, language } = text;
  const moment = momentFormat(language);
  return [
    { key: 'at', title: t('column.when'), cell: ({ at }) => moment(Date.parse(at)) },
    {
      key: 'value',
      title: t('column.value'),
      align: 'end',
      cell: ({ value }) => readingWords(text, value, unit),
    },
    {
      key: 'spikes',
      title: t('column.spikes'),
      align: 'end',
      cell: ({ spikes }) => format.integer(spikes.on.length + spikes.off.length),
    },
  ];
}
