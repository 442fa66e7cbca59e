import type { KeyboardEvent, ReactNode } from 'react';
import { moveCursor, type CursorAxis } from './cursor-keys.ts';
import css from './PlotCursor.module.css';
import { useChartText } from './chart-text.ts';

export interface CursorSliderProps {
  /** The chart's title. */
  readonly chart: string;
  readonly axis: CursorAxis;
  /** How many positions there are: neurons, steps, bars, rows. */
  readonly count: number;
  /** Where the cursor is, or null while nobody looks. */
  readonly position: number | null;
  /** The values at the cursor, in words. */
  readonly reading: string;
  readonly onMove: (position: number | null) => void;
  /** Does something with the position that is read: by a click, or by Enter or the space bar. */
  readonly onChoose?: ((position: number) => void) | undefined;
  readonly children: ReactNode;
}

/**
 * Makes a plot readable with the arrow keys. It is a slider to assistive technology, which then
 * reads the value aloud with each move by itself.
 */
export function CursorSlider(props: CursorSliderProps) {
  const { chart, axis, count, position, reading, onMove, onChoose, children } = props;
  const { t } = useChartText();
  const last = Math.max(0, count - 1);
  const isReading = position !== null && count > 0;

  function moveByKey(event: KeyboardEvent) {
    if (onChoose && isReading && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault();
      onChoose(position);
      return;
    }
    const next = moveCursor(event.key, axis, position, count);
    if (next === undefined) return;
    event.preventDefault();
    onMove(next);
  }

  return (
    <div
      className={css['plot']}
      // eslint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <input> has no room for a plot
      role="slider"
      tabIndex={0}
      aria-label={t('chart.cursor', { chart })}
      aria-orientation={axis}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={position ?? last}
      aria-valuetext={isReading ? reading : t('chart.noReading')}
      onKeyDown={moveByKey}
      onBlur={() => onMove(null)}
    >
      {children}
      {isReading && <span className={css['reading']}>{reading}</span>}
    </div>
  );
}
