import type { Level } from './levels.ts';
import { drawLine, type Plane } from './plane.ts';
import type { PlotScale } from './plot-rows.ts';
import type { PlotRows } from './reduce.ts';
import { endsOf, fixedScale, type FixedRange, logScale, roundScale, type Scales } from './scale.ts';
import { SERIES_DASHES } from './surface.ts';

/** Whether a row without a value interrupts a curve, or the curve was only not measured there. */
export type Gaps = 'leave' | 'join';

/** How faint a curve is behind its smoothed one. */
const BEHIND = 0.28;

/** Axes for the rows of a plot and its levels, with whole numbers on that of x; `range` is in sight, all where it is null. */
export function rowScales(
  rows: readonly PlotRows[],
  scale: PlotScale,
  range: FixedRange | null,
  levels: readonly Level[] = [],
): Scales {
  const ends = endsOf([
    ...rows.flatMap(({ y }) => y.map((series) => series.map((value) => value ?? Number.NaN))),
    levels.map(({ value }) => value),
  ]);
  const steps = fixedScale(range ?? endsOf(rows.map(({ x }) => x)));
  return {
    x: { ...steps, ticks: steps.ticks.filter(Number.isInteger) },
    y: scale === 'log' && ends[0] > 0 ? logScale(ends) : roundScale(ends),
  };
}

interface RowsLook {
  /** Series of the rows; smoothed ones stand behind as many again. */
  readonly count: number;
  /** The place of the first series among colours and dashes. */
  readonly first: number;
  readonly gaps: Gaps;
}

/** Draws each series in its colour and its dash, faint where a smoothed one is drawn over it. */
export function paintRows(plane: Plane, { x, y }: PlotRows, look: RowsLook): void {
  const { count, first, gaps } = look;
  y.forEach((series, index) => {
    const isBehind = y.length > count && index < count;
    const number = first + (index % count);
    paintSeries(plane, x, series, { number, gaps, alpha: isBehind ? BEHIND : 1 });
  });
}

interface SeriesPlace {
  readonly number: number;
  readonly gaps: Gaps;
  readonly alpha: number;
}

function paintSeries(
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
