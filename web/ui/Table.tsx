import { useMemo, useState, type ReactNode, type UIEvent } from 'react';
import { useText } from '../i18n/text-context.ts';
import { classNames } from './class-names.ts';
import { Icon } from './Icon.tsx';
import css from './Table.module.css';
import { visibleRows, type ScrollView } from './virtual-rows.ts';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  /** Numbers stand at the end, so that their digits line up. */
  readonly align?: 'start' | 'end';
  /** Makes the head of the column a button that sorts by this value; rows without one come last. */
  readonly sortBy?: (row: Row) => string | number | null;
  readonly cell: (row: Row) => ReactNode;
}

interface TableProps<Row> {
  /** Title of the table; read aloud, not shown. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
  /** Whether the first cell of a row names the row. */
  readonly rowHeader?: 'first' | 'none';
  /**
   * A limited table scrolls within itself under its head. From 100 rows on only those in view are
   * elements, so they must be of one height.
   */
  readonly height?: 'full' | 'limited';
  /** Lies on the page itself, not on a panel: its edges fade into that. */
  readonly under?: 'ground';
}

const VIRTUAL_FROM = 100;
/** Until rows are measured: one line of text with its padding. */
const FIRST_VIEW: ScrollView = { top: 0, height: 352, rowHeight: 40 };

interface Sorting {
  readonly key: string;
  readonly order: 'ascending' | 'descending';
}

/** A table that scrolls within itself where it is too wide, by keyboard too. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, rowKey, rowHeader = 'first', height = 'full', under } = props;
  const { t, language } = useText();
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const [view, setView] = useState(FIRST_VIEW);
  const sorted = useMemo(
    () => sortRows(rows, columns, sorting, language),
    [rows, columns, sorting, language],
  );
  const isVirtual = height === 'limited' && rows.length >= VIRTUAL_FROM;
  const all = { start: 0, end: rows.length };
  const { start, end } = isVirtual ? visibleRows(all, view) : all;
  return (
    <section
      className={classNames(css['scroll'], css[height], under && css[under])}
      aria-label={t('ui.table', { table: caption })}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus
      tabIndex={0}
      onScroll={isVirtual ? (event) => setView(viewOf(event)) : undefined}
    >
      <table className={css['table']} aria-rowcount={isVirtual ? rows.length + 1 : undefined}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr aria-rowindex={isVirtual ? 1 : undefined}>
            {columns.map((column) => (
              <Head key={column.key} column={column} sorting={sorting} onSort={setSorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap rows={start} view={view} />
          {sorted.slice(start, end).map((row, index) => (
            <tr key={rowKey(row)} aria-rowindex={isVirtual ? start + index + 2 : undefined}>
              {columns.map((column, place) => (
                <Cell
                  key={column.key}
                  column={column}
                  row={row}
                  kind={rowHeader === 'first' && place === 0 ? 'header' : 'data'}
                />
              ))}
            </tr>
          ))}
          <Gap rows={rows.length - end} view={view} />
        </tbody>
      </table>
    </section>
  );
}

interface HeadProps<Row> {
  readonly column: Column<Row>;
  readonly sorting: Sorting | null;
  readonly onSort: (sorting: Sorting) => void;
}

function Head<Row>({ column, sorting, onSort }: HeadProps<Row>) {
  const { key, title, align = 'start', sortBy } = column;
  if (!sortBy) {
    return (
      <th scope="col" className={css[align]}>
        {title}
      </th>
    );
  }
  const order = sorting?.key === key ? sorting.order : undefined;
  const next = order === 'ascending' ? 'descending' : 'ascending';
  return (
    <th scope="col" className={css[align]} aria-sort={order ?? 'none'}>
      <button type="button" className={css['sort']} onClick={() => onSort({ key, order: next })}>
        {title}
        <span className={classNames(css['order'], order && css[order])}>
          <Icon name="chevron" size="small" />
        </span>
      </button>
    </th>
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

/** Room of rows that are not rendered. */
function Gap({ rows, view }: { readonly rows: number; readonly view: ScrollView }) {
  if (rows === 0) return null;
  return <tr aria-hidden="true" style={{ height: `${rows * view.rowHeight}px` }} />;
}

function viewOf({ currentTarget: scroller }: UIEvent<HTMLElement>): ScrollView {
  const row = scroller.querySelector('tbody tr:not([aria-hidden])');
  return {
    top: scroller.scrollTop,
    height: scroller.clientHeight,
    rowHeight: row?.getBoundingClientRect().height || FIRST_VIEW.rowHeight,
  };
}

function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sorting: Sorting | null,
  language: string,
): readonly Row[] {
  const sortBy = columns.find(({ key }) => key === sorting?.key)?.sortBy;
  if (!sortBy || !sorting) return rows;
  const texts = new Intl.Collator(language, { numeric: true });
  const sign = sorting.order === 'ascending' ? 1 : -1;
  return rows.toSorted((rowA, rowB) => {
    const [a, b] = [sortBy(rowA), sortBy(rowB)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
    return sign * texts.compare(String(a), String(b));
  });
}
