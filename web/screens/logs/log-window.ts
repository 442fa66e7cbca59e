/** Rows above and below what is in view: they are there before they are scrolled to. */
const SPARE = 8;
/** As many elements at most, however high the list is. */
const MOST_ROWS = 80;

export interface Rows {
  readonly start: number;
  readonly end: number;
}

/** The rows that are drawn, of those from `start` to `end`. */
export function visibleRows(
  { start, end }: Rows,
  view: { readonly top: number; readonly height: number; readonly rowHeight: number },
): Rows {
  const first = start + Math.floor(view.top / view.rowHeight) - SPARE;
  const count = Math.ceil(view.height / view.rowHeight) + 2 * SPARE;
  const from = Math.max(start, Math.min(first, end - 1));
  return { start: from, end: Math.min(end, from + Math.min(count, MOST_ROWS)) };
}
