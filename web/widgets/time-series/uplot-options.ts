import type uPlot from 'uplot';
import type { Format } from '../../i18n/format.ts';
import { SERIES_DASHES, type ChartTheme } from '../canvas/chart-theme.ts';
import type { PlotScale } from './plot-rows.ts';

/** Whether a row without a value interrupts a curve, or the curve was only not measured there. */
export type Gaps = 'leave' | 'join';

/** The x values at the ends of what is in sight. */
export type PlotRange = readonly [from: number, to: number];

/** What is in sight, all of it where null, and what is told when somebody drags over a stretch. */
export interface PlotZoom {
  readonly range: PlotRange | null;
  readonly choose: (range: PlotRange) => void;
}

export interface PlotLook {
  readonly seriesCount: number;
  readonly scale: PlotScale;
  /** Whether smoothed curves lie over faint ones. */
  readonly curves: 'plain' | 'smoothed';
  readonly gaps: Gaps;
  readonly zoom: PlotZoom | undefined;
  readonly theme: ChartTheme;
  readonly format: Format;
}

/** How faint a curve is behind its smoothed one. */
const BEHIND = 0.28;

/** uPlot's settings for a look. Legend, title and values are ours, outside of it. */
export function uplotOptions(look: PlotLook, width: number, height: number): uPlot.Options {
  const { seriesCount, scale, curves, zoom, format, theme } = look;
  const plain = curves === 'plain';
  const numbers = Array.from({ length: seriesCount }, (_, index) => index);
  const raw = numbers.map((index) => curve(look, index, plain ? 1 : BEHIND));
  const smoothed = plain ? [] : numbers.map((index) => curve(look, index, 1));
  return {
    width,
    height,
    // Half of the last label on the axis stands beyond the plot.
    padding: [8, 16, 0, 0],
    legend: { show: false },
    cursor: {
      drag: { x: Boolean(zoom), y: false, setScale: false },
      points: { size: 7 },
      y: false,
    },
    hooks: zoom ? { setSelect: [(plot) => select(plot, zoom)] } : {},
    scales: {
      x: { time: false, ...(zoom?.range && { range: [...zoom.range] }) },
      y: scale === 'log' ? { distr: 3 } : {},
    },
    axes: [
      { ...axis(theme, (value) => format.integer(value)), size: 32 },
      { ...axis(theme, (value) => format.number(value)), size: 56 },
    ],
    series: [{}, ...raw, ...smoothed],
  };
}

function select(plot: uPlot, { choose }: PlotZoom): void {
  const { left, width } = plot.select;
  if (width > 0) choose([plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')]);
}

function curve({ theme, gaps }: PlotLook, index: number, alpha: number): uPlot.Series {
  return {
    stroke: theme.series[index % theme.series.length] ?? theme.ink,
    width: 1.75,
    dash: [...(SERIES_DASHES[index % SERIES_DASHES.length] ?? [])],
    alpha,
    spanGaps: gaps === 'join',
    points: { show: false },
  };
}

function axis(theme: ChartTheme, write: (value: number) => string): uPlot.Axis {
  const grid = { stroke: theme.line, width: 1 };
  return {
    stroke: theme.muted,
    font: `12px ${theme.font}`,
    grid,
    ticks: { ...grid, size: 5 },
    // On a log axis uPlot gives null for the lines between the labelled ones.
    values: (_, splits) =>
      splits.map((value: number | null) => (value === null ? '' : write(value))),
  };
}
