import type { ReactNode } from 'react';
import { useText } from '../i18n/text-context.ts';
import { classNames } from './class-names.ts';
import css from './Table.module.css';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  /** Numbers stand at the end, so that their digits line up. */
  readonly align?: 'start' | 'end';
  readonly cell: (row: Row) => ReactNode;
}

export interface TableProps<Row> {
  /** What the table holds; read aloud, not shown. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
  /** Whether the first cell of a row names the row. */
  readonly rowHeader?: 'first' | 'none';
  /** Tall tables scroll within themselves under their head. */
  readonly height?: 'full' | 'limited';
}

/** A table that scrolls within itself where it is too wide, by keyboard too. */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  rowHeader = 'first',
  height = 'full',
}: TableProps<Row>) {
  const { t } = useText();
  return (
    <section
      className={classNames(css['scroll'], css[height])}
      aria-label={t('ui.table', { table: caption })}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus
      tabIndex={0}
    >
      <table className={css['table']}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={css[column.align ?? 'start']}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column, index) => (
                <Cell
                  key={column.key}
                  column={column}
                  row={row}
                  kind={rowHeader === 'first' && index === 0 ? 'header' : 'data'}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface CellProps<Row> {
  readonly column: Column<Row>;
  readonly row: Row;
  readonly kind: 'header' | 'data';
}

function Cell<Row>({ column, row, kind }: CellProps<Row>) {
  const className = css[column.align ?? 'start'];
  return kind === 'header' ? (
    <th scope="row" className={className}>
      {column.cell(row)}
    </th>
  ) : (
    <td className={className}>{column.cell(row)}</td>
  );
}
