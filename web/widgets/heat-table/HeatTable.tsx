import { Table, type Column } from '../../ui/Table.tsx';
import { ChartFrame } from '../chart/ChartFrame.tsx';
import css from './HeatTable.module.css';

interface HeatTableProps {
  readonly title: string;
  readonly level?: 2 | 3;
  /** Heading of the column of row names. */
  readonly corner: string;
  readonly rowLabels: readonly string[];
  readonly columnLabels: readonly string[];
  /** `[row][column]`, at least 0: a cell is as strong as its share of the row. */
  readonly values: readonly (readonly number[])[];
  readonly write: (value: number) => string;
  /** A last column of its own, with its title. */
  readonly beside?: { readonly title: string; readonly cells: readonly string[] };
  readonly sentences: readonly string[];
}

interface Row {
  readonly label: string;
  readonly values: readonly number[];
  readonly sum: number;
  readonly beside: string;
}

/** Numbers in a table whose cells are as strong as the numbers are large: both are read at once. */
export function HeatTable(props: HeatTableProps) {
  const { title, level, corner, columnLabels, write, beside, sentences } = props;
  const rows = rowsOf(props);
  const columns: Column<Row>[] = [
    { key: 'row', title: corner, cell: ({ label }) => label },
    ...columnLabels.map((label, index): Column<Row> => ({
      key: `column ${index}`,
      title: label,
      align: 'end',
      cell: heatCell(index, write),
    })),
    ...(beside
      ? [
          {
            key: 'beside',
            title: beside.title,
            align: 'end' as const,
            cell: (row: Row) => row.beside,
          },
        ]
      : []),
  ];
  return (
    <ChartFrame
      title={title}
      {...(level ? { level } : {})}
      sentences={sentences}
      table={() => ({
        columns: columns.map((column) => column.title),
        rows: rows.map(({ label, values, beside: last }) => [
          label,
          ...values.map(String),
          ...(beside ? [last] : []),
        ]),
      })}
    >
      <Table
        caption={title}
        columns={columns}
        rows={rows}
        rowKey={({ label }) => label}
        height="limited"
      />
    </ChartFrame>
  );
}

function rowsOf({ rowLabels, values, beside }: HeatTableProps): readonly Row[] {
  return rowLabels.map((label, index) => {
    const own = values[index] ?? [];
    const sum = own.reduce((a, b) => a + b, 0);
    return { label, values: own, sum, beside: beside?.cells[index] ?? '' };
  });
}

/** The strongest colour of a cell, per cent: the number in it stays easy to read in both themes. */
const STRONGEST = 45;

function heatCell(index: number, write: HeatTableProps['write']): Column<Row>['cell'] {
  return function HeatCell({ values, sum }) {
    const value = values[index] ?? 0;
    const strength = sum > 0 ? (STRONGEST * value) / sum : 0;
    return (
      <span
        className={css['cell']}
        style={{ background: `color-mix(in srgb, var(--accent) ${strength}%, transparent)` }}
      >
        {write(value)}
      </span>
    );
  };
}
