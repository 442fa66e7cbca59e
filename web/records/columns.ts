import type { ReactNode } from 'react';
import type { Column } from '../ui/Table.tsx';

/** A table column, identified by its title. */
export const column = <Row>(title: string, cell: (row: Row) => ReactNode): Column<Row> => ({
  key: title,
  title,
  cell,
});

/** A column whose cells stand at the end, so that the digits of numbers line up. */
export const endColumn = <Row>(title: string, cell: (row: Row) => ReactNode): Column<Row> => ({
  key: title,
  title,
  align: 'end',
  cell,
});
