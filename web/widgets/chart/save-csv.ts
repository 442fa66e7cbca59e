import { saveFile } from '../../ui/save-file.ts';
import { toCsv, type TableData } from './table-data.ts';

/** Hands the table to the browser as a file to keep. */
export function saveCsv(name: string, data: TableData): void {
  // The mark tells spreadsheets that the file is UTF-8: they guess otherwise.
  saveFile(`${name}.csv`, new Blob(['\uFEFF', toCsv(data)], { type: 'text/csv;charset=utf-8' }));
}
