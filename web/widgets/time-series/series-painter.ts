import type { Format } from '../../i18n/format.ts';
import type { SeriesBuffer } from '../buffers/series-buffer.ts';
import { SERIES_DASHES } from '../canvas/chart-theme.ts';
import type { Painter } from '../canvas/paint-loop.ts';
import { drawAxes, drawLine, inside, type Plane, planeOf, ROOM } from '../xy-plot/plane.ts';
import { endsOf, fixedScale, logScale, roundScale, type Scales } from '../xy-plot/xy-scale.ts';
import { createRowMaker, type PlotScale } from './plot-rows.ts';
import type { Gaps, PlotRange } from './plot-zoom.ts';
import type { PlotRows } from './reduce.ts';

interface SeriesLook {
  readonly scale: PlotScale;
  /** 0 to below 1: see smooth. */
  readonly smoothing: number;
  readonly gaps: Gaps;
  /** The visible range; everything where null. */
  readonly range: PlotRange | null;
  readonly format: Format;
  /** The x of the crosshair, asked for with every frame. */
  readonly cursor: () => number | null;
  /** Told the axes of each frame. */
  readonly drawn: (scales: Scales) => void;
}

/** How faint a curve is behind its smoothed one. */
const BEHIND = 0.28;

/** Draws the rows of a buffer, reduced to what the width can show, with a crosshair. */
export function createSeriesPainter(buffer: SeriesBuffer, look: SeriesLook): Painter {
  const makeRows = createRowMaker(buffer);
  const { scale, smoothing, gaps, format } = look;
  return (surface) => {
    const inDevice = Math.round((surface.width - ROOM.left - ROOM.right) * surface.ratio);
    const rows = makeRows({ scale, smoothing, maxRows: Math.max(2, 2 * inDevice) });
    const scales = scalesOf(rows, look);
    const plane = planeOf(surface, scales);
    look.drawn(scales);
    surface.context.clearRect(0, 0, surface.width, surface.height);
    drawAxes(plane, scales, { x: format.integer, y: format.number });
    inside(plane, () => {
      rows.y.forEach((series, index) => {
        const isBehind = smoothing > 0 && index < buffer.seriesCount;
        const place = { number: index % buffer.seriesCount, gaps, alpha: isBehind ? BEHIND : 1 };
        drawSeries(plane, rows.x, series, place);
      });
      drawCursor(plane, look.cursor());
    });
  };
}

function scalesOf({ x, y }: PlotRows, { scale, range }: SeriesLook): Scales {
  const known = y.map((series) => series.map((value) => value ?? Number.NaN));
  const ends = endsOf(known);
  const steps = fixedScale(range ?? endsOf([x]));
  return {
    x: { ...steps, ticks: steps.ticks.filter(Number.isInteger) },
    y: scale === 'log' && ends[0] > 0 ? logScale(ends) : roundScale(ends),
  };
}

interface SeriesPlace {
  /** Which of the buffer's series. */
  readonly number: number;
  readonly gaps: Gaps;
  readonly alpha: number;
}

function drawSeries(
  plane: Plane,
  x: readonly number[],
  series: readonly (number | null)[],
  { number, gaps, alpha }: SeriesPlace,
) {
  const { context, theme } = plane.surface;
  context.globalAlpha = alpha;
  context.strokeStyle = theme.series[number % theme.series.length] ?? theme.ink;
  context.setLineDash([...(SERIES_DASHES[number % SERIES_DASHES.length] ?? [])]);
  const kept = gaps === 'join' ? series.flatMap((value, at) => (value === null ? [] : at)) : null;
  drawLine(plane, {
    x: kept ? kept.map((at) => x[at] ?? Number.NaN) : x,
    y: kept ? kept.map((at) => series[at] ?? Number.NaN) : series.map((v) => v ?? Number.NaN),
  });
  context.setLineDash([]);
  context.globalAlpha = 1;
}

function drawCursor({ surface: { context, theme }, x, height }: Plane, at: number | null) {
  if (at === null) return;
  context.fillStyle = theme.muted;
  context.fillRect(Math.round(x(at)), ROOM.top, 1, height);
}
