/** Which way the positions of a chart's cursor run: from the left, or from the bottom. */
export type CursorAxis = 'horizontal' | 'vertical';

const PAGE = 10;

const MOVES: Readonly<Record<CursorAxis, Readonly<Record<string, number>>>> = {
  horizontal: { ArrowLeft: -1, ArrowRight: 1, PageDown: -PAGE, PageUp: PAGE },
  vertical: { ArrowDown: -1, ArrowUp: 1, PageDown: -PAGE, PageUp: PAGE },
};

/**
 * Where a key moves the cursor among `count` positions, or undefined where it means nothing here.
 * Without a cursor the first key puts it at the newest position, the last.
 */
export function moveCursor(
  key: string,
  axis: CursorAxis,
  position: number | null,
  count: number,
): number | undefined {
  const last = count - 1;
  if (last < 0) return undefined;
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  const move = MOVES[axis][key];
  if (move === undefined) return undefined;
  return position === null ? last : Math.min(last, Math.max(0, position + move));
}

/** The position under a point, given as a fraction of the plot from its start. */
export function positionAt(fraction: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor(fraction * count)));
}
