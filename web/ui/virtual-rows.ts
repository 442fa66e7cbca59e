/** Rows above and below what is in view: they are there before they are scrolled to. */
const SPARE_ROWS = 8;
/** As many rows are elements at most, however high the list is. */
const MAX_ROWS = 80;

/** Rows from `start` up to `end`. */
interface Rows {
  readonly start: number;
  readonly end: number;
}

/** The visible part of a list, in pixels. */
export interface ScrollView {
  readonly top: number;
  readonly height: number;
  readonly rowHeight: number;
}

/** The rows to render of those from `start` to `end`, which are all of one height. */
export function visibleRows({ start, end }: Rows, view: ScrollView): Rows {
  const first = start + Math.floor(view.top / view.rowHeight) - SPARE_ROWS;
  const count = Math.ceil(view.height / view.rowHeight) + 2 * SPARE_ROWS;
  const from = Math.max(start, Math.min(first, end - 1));
  return { start: from, end: Math.min(end, from + Math.min(count, MAX_ROWS)) };
}
