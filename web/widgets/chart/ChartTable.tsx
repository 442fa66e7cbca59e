import { Table } from '../../ui/Table.tsx';
import type { TableData } from './table-data.ts';

interface ChartTableProps {
  readonly caption: string;
  readonly data: TableData;
}

/** The values behind a chart. Rows are known by their place: they have nothing else in common. */
export function ChartTable({ caption, data }: ChartTableProps) {
  const rows = data.rows.map((cells, index) => ({ cells, index }));
  const columns = data.columns.map((title, column) => ({
    key: title,
    title,
    align: column === 0 ? ('start' as const) : ('end' as const),
    cell: (row: (typeof rows)[number]) => row.cells[column],
  }));
  return (
    <Table
      caption={caption}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.index}
      height="limited"
    />
  );
}
