import { toCsv, type TableData } from './table-data.ts';

/** Hands the table to the browser as a file to keep. */
export function saveCsv(name: string, data: TableData): void {
  // The mark tells spreadsheets that the file is UTF-8: they guess otherwise.
  const file = new Blob(['\uFEFF', toCsv(data)], { type: 'text/csv;charset=utf-8' });
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = `${name}.csv`;
  link.click();
  URL.revokeObjectURL(address);
}
