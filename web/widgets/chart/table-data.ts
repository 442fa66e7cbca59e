/** The values behind a chart as text: what its table shows and its CSV file holds. */
export interface TableData {
  readonly columns: readonly string[];
  /** As many cells in each row as there are columns. */
  readonly rows: readonly (readonly string[])[];
}

/** Comma-separated values as RFC 4180 describes them: CRLF line ends, quotes where they are needed. */
export function toCsv({ columns, rows }: TableData): string {
  return [columns, ...rows].map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
}

function quoted(cell: string): string {
  // A spreadsheet takes a leading = + - @ for a formula; numbers stay numbers.
  const text = /^[=+\-@\t\r]/.test(cell) && Number.isNaN(Number(cell)) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
