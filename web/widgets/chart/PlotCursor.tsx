import type { PointerEvent } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { positionAt, type CursorAxis } from './cursor-keys.ts';
import { CursorSlider, type CursorSliderProps } from './CursorSlider.tsx';
import css from './PlotCursor.module.css';

/** A plot that fills its area from edge to edge, read value by value with the pointer or the arrow keys. */
export function PlotCursor({ children, ...slider }: CursorSliderProps) {
  const { axis, count, position, onMove, onChoose } = slider;

  function under(event: PointerEvent<HTMLElement>) {
    const box = event.currentTarget.getBoundingClientRect();
    const fraction =
      axis === 'horizontal'
        ? (event.clientX - box.left) / box.width
        : (box.bottom - event.clientY) / box.height;
    return positionAt(fraction, count);
  }

  return (
    <CursorSlider {...slider}>
      <div
        className={css['area']}
        onPointerMove={(event) => count > 0 && onMove(under(event))}
        onPointerUp={(event) => count > 0 && onChoose?.(under(event))}
        onPointerLeave={() => onMove(null)}
      >
        {children}
      </div>
      {position !== null && count > 0 && (
        <span
          className={classNames(css['line'], css[axis])}
          style={lineAt(axis, position, count)}
        />
      )}
    </CursorSlider>
  );
}

function lineAt(axis: CursorAxis, position: number, count: number) {
  const middle = `${((position + 0.5) / count) * 100}%`;
  return axis === 'horizontal' ? { left: middle } : { bottom: middle };
}
