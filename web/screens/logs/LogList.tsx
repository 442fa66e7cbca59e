import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import type { LogBuffer } from './log-buffer.ts';
import { visibleRows } from '../../ui/virtual-rows.ts';
import type { LogRows } from './log-rows.ts';
import { LogRow } from './LogRow.tsx';
import css from './Logs.module.css';
import { useLogsText } from './words/en-logs.ts';

interface LogListProps {
  readonly buffer: LogBuffer;
  readonly rows: LogRows;
  /** Whether the latest line stays in sight. */
  readonly isFollowing: boolean;
  readonly onFollow: (isFollowing: boolean) => void;
  /** The place of the line that is shown in detail. */
  readonly chosen: number | undefined;
  readonly onChoose: (place: number) => void;
}

/** The height of a row in rem, as the style sheet has it. */
const ROW_REM = 1.75;
const rowHeight = () =>
  ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** The lines in rows of one height, of which only those in view are elements. */
export function LogList({ buffer, rows, isFollowing, onFollow, chosen, onChoose }: LogListProps) {
  const { t } = useLogsText();
  const scroller = useScroller(rows, isFollowing);
  const [view, setView] = useState({ top: 0, height: 600, rowHeight: 28 });

  function look() {
    const { current } = scroller;
    if (!current) return;
    const { scrollTop: top, clientHeight: height, scrollHeight } = current;
    setView({ top, height, rowHeight: rowHeight() });
    const isAtEnd = top + height >= scrollHeight - rowHeight() / 2;
    if (isAtEnd !== isFollowing) onFollow(isAtEnd);
  }

  function move(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const row = rowToward(rows, chosen, step);
    onChoose(rows.placeOf(row));
    onFollow(false);
    const top = (row - rows.start) * view.rowHeight;
    const lowest = top + view.rowHeight - view.height;
    scroller.current?.scrollTo({ top: Math.max(lowest, Math.min(top, view.top)) });
  }

  const { start, end } = visibleRows(rows, view);
  const places = Array.from({ length: end - start }, (_, i) => rows.placeOf(start + i));
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the arrow keys choose a line
    <div
      ref={scroller}
      className={css['list']}
      role="log"
      // A screen reader would not come to an end: what is chosen is read instead.
      aria-live="off"
      aria-label={t('list.label')}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus
      tabIndex={0}
      onScroll={look}
      onKeyDown={move}
    >
      <div className={css['all']} style={{ height: `${(rows.end - rows.start) * ROW_REM}rem` }}>
        {places.map((place, i) => (
          <LogRow
            key={place}
            item={buffer.at(place)}
            place={place}
            top={`${(start + i - rows.start) * ROW_REM}rem`}
            isChosen={place === chosen}
            onChoose={onChoose}
          />
        ))}
      </div>
    </div>
  );
}

/** Keeps the end in sight, or else the lines that are: what is dropped above them moves nothing. */
function useScroller({ start, end }: LogRows, isFollowing: boolean) {
  const scroller = useRef<HTMLDivElement>(null);
  const before = useRef(start);
  useLayoutEffect(() => {
    const dropped = start - before.current;
    before.current = start;
    if (isFollowing) scroller.current?.scrollTo({ top: (end - start) * rowHeight() });
    else if (dropped > 0) scroller.current?.scrollBy({ top: -dropped * rowHeight() });
  }, [start, end, isFollowing]);
  return scroller;
}

/** The row after or before the chosen one; the last where none is. */
function rowToward(rows: LogRows, chosen: number | undefined, step: number): number {
  let row = rows.end - 1;
  for (let i = rows.start; i < rows.end; i++) if (rows.placeOf(i) === chosen) row = i + step;
  return Math.max(rows.start, Math.min(row, rows.end - 1));
}
