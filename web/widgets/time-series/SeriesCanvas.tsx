import { useEffect, useMemo, useState, type PointerEvent } from 'react';
import {
  type Gaps,
  type Level,
  type Scale,
  type Scales,
  valueAt,
  type PlotScale,
} from '../../../engine/pictures.ts';
import type { Format } from '../../i18n/format.ts';
import type { SeriesBuffer } from '../buffers/series-buffer.ts';
import { createSignal, type Source } from '../buffers/signal.ts';
import { usePaintLoop } from '../canvas/use-paint-loop.ts';
import type { PlotZoom } from './plot-zoom.ts';
import { createSeriesPainter } from './series-painter.ts';
import css from './TimeSeries.module.css';

interface SeriesCanvasProps {
  readonly buffer: SeriesBuffer;
  readonly scale: PlotScale;
  readonly smoothing: number;
  readonly gaps: Gaps;
  /** Its array stays the same while nothing of it changes. */
  readonly levels: readonly Level[];
  readonly zoom: PlotZoom | undefined;
  readonly format: Format;
  /** The x of the crosshair. */
  readonly cursor: number | null;
  /** The x under the pointer, or null when it has left. */
  readonly onPoint: (x: number | null) => void;
}

/** Where a drag began and where it is, both 0 to 1 across the plot. */
type Drag = readonly [from: number, to: number];

/** A drag over less than this part of the width was a click. */
const MIN_DRAG = 0.01;

/** The drawing of a TimeSeries. Drawn per frame, without React; dragging over it chooses a stretch. */
export function SeriesCanvas(props: SeriesCanvasProps) {
  const { zoom, onPoint } = props;
  const { canvas, view } = useSeries(props);
  const [drag, setDrag] = useState<Drag | null>(null);

  function begin(event: PointerEvent<HTMLElement>) {
    if (!zoom) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const place = placeUnder(event);
    setDrag([place, place]);
  }

  function move(event: PointerEvent<HTMLElement>) {
    const place = placeUnder(event);
    onPoint(view.valueOf(place));
    if (drag) setDrag([drag[0], place]);
  }

  function end() {
    const [from = 0, to = 0] = [...(drag ?? [])].toSorted((a, b) => a - b).map(view.valueOf);
    if (drag && Math.abs(drag[1] - drag[0]) > MIN_DRAG && from !== null && to !== null) {
      zoom?.choose([from, to]);
    }
    setDrag(null);
  }

  return (
    <>
      <canvas ref={canvas} className={css['canvas']} />
      <div
        className={css['area']}
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={() => setDrag(null)}
        onPointerLeave={() => onPoint(null)}
      >
        {drag && <span className={css['stretch']} style={stretchAt(drag)} />}
      </div>
    </>
  );
}

/** Where a pointer is across what it is over, 0 to 1. */
function placeUnder(event: PointerEvent<HTMLElement>): number {
  const { left, width } = event.currentTarget.getBoundingClientRect();
  return Math.min(1, Math.max(0, (event.clientX - left) / width));
}

const stretchAt = ([from, to]: Drag) => ({
  left: `${Math.min(from, to) * 100}%`,
  width: `${Math.abs(to - from) * 100}%`,
});

/** The canvas, and what is known of its last frame. */
function useSeries(props: SeriesCanvasProps) {
  const { buffer, scale, smoothing, gaps, levels, zoom, format, cursor } = props;
  const view = useMemo(() => createView(buffer), [buffer]);
  useEffect(() => view.moveCursor(cursor), [view, cursor]);
  const range = zoom?.range ?? null;
  const painter = useMemo(() => {
    const { cursorAt, drawn } = view;
    return createSeriesPainter(buffer, {
      scale,
      smoothing,
      gaps,
      levels,
      range,
      format,
      cursor: cursorAt,
      drawn,
    });
  }, [buffer, scale, smoothing, gaps, levels, range, format, view]);
  return { canvas: usePaintLoop(view.source, painter), view };
}

/** The crosshair and the x axis of one drawing. Changes with the buffer, and when the crosshair moves. */
function createView(buffer: SeriesBuffer) {
  const signal = createSignal();
  let axis: Scale | null = null;
  let at: number | null = null;
  let moves = 0;
  const source: Source = {
    get version() {
      return buffer.version + moves;
    },
    subscribe(listener) {
      const stops = [buffer.subscribe(listener), signal.subscribe(listener)];
      return () => stops.forEach((stop) => stop());
    },
  };
  return {
    source,
    cursorAt: () => at,
    drawn: ({ x }: Scales) => {
      axis = x;
    },
    /** The value at a place across the plot, once it was drawn. */
    valueOf: (place: number) => (axis ? valueAt(axis, place) : null),
    moveCursor(next: number | null) {
      if (next === at) return;
      at = next;
      moves++;
      signal.emit();
    },
  };
}
