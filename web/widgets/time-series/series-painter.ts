import {
  drawAxes,
  drawLevels,
  type Gaps,
  inside,
  type Level,
  paintRows,
  type Plane,
  planeOf,
  plotRows,
  type PlotScale,
  ROOM,
  rowScales,
  type Scales,
} from '../../../engine/pictures.ts';
import type { Format } from '../../i18n/format.ts';
import type { SeriesBuffer } from '../buffers/series-buffer.ts';
import type { Painter } from '../canvas/paint-loop.ts';
import type { PlotRange } from './plot-zoom.ts';

interface SeriesLook {
  readonly scale: PlotScale;
  /** 0 to below 1: see smooth. */
  readonly smoothing: number;
  readonly gaps: Gaps;
  /** Values to compare the curves with. */
  readonly levels: readonly Level[];
  /** The visible range; everything where null. */
  readonly range: PlotRange | null;
  readonly format: Format;
  /** The x of the crosshair, asked for with every frame. */
  readonly cursor: () => number | null;
  /** Told the axes of each frame. */
  readonly drawn: (scales: Scales) => void;
}

/** Draws the rows of a buffer, reduced to what the width can show, with a crosshair. */
export function createSeriesPainter(buffer: SeriesBuffer, look: SeriesLook): Painter {
  const { seriesCount, capacity } = buffer;
  // Kept from frame to frame.
  const room = Array.from({ length: seriesCount }, () => new Float64Array(capacity));
  const { scale, smoothing, gaps, levels, format } = look;
  return (surface) => {
    const inDevice = Math.round((surface.width - ROOM.left - ROOM.right) * surface.ratio);
    const maxRows = Math.max(2, 2 * inDevice);
    const rows = plotRows(buffer.window(), { scale, smoothing, maxRows }, room);
    const scales = rowScales([rows], scale, look.range, levels);
    const plane = planeOf(surface, scales);
    look.drawn(scales);
    drawAxes(plane, scales, { x: format.integer, y: format.number });
    inside(plane, () => {
      drawLevels(plane, levels);
      paintRows(plane, rows, { count: seriesCount, first: 0, gaps });
      drawCursor(plane, look.cursor());
    });
  };
}

function drawCursor({ surface: { context, theme }, top, x, height }: Plane, at: number | null) {
  if (at === null) return;
  context.fillStyle = theme.muted;
  context.fillRect(Math.round(x(at)), top, 1, height);
}
